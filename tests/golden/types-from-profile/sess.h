struct sess {
	u8	kind;
	stamp_t	started;
	u8	open;
	struct ep peer;
	u8	last;
};
