int x = unknown_thing;
