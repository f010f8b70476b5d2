struct server {
	long events;
	/* ACLs */
	char *acl_file;	    /* NULL if not configured. */
	unsigned acl_log;   /* Maximum length of the log. */
	/* Encryption */
	int tls_port;
	int tls_replication;
};
