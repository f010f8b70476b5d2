/*
 * Which headers build files install: each test writes one, asks for headers, and removes it.
 */
#include "scratch.h"

#include <sys/stat.h>

#include "base/path.h"
#include "session/installed.h"

static struct rs_arena *arena;

static int setup(void **state)
{
	static const char *const folders[] = { "include", "include/foo", "src", "src/deep",
					       "cmake",   "debian",      "api" };
	static const char *const headers[] = {
		"foo.h",     "include/foo.h",  "include/foo/bar.h", "src/foo.h",
		"src/own.h", "src/deep/own.h", "api/all.hpp",       "src/lua.h"
	};
	int failed = scratch_make(state);

	arena = rs_arena_create();
	for (size_t i = 0; i < RS_COUNT_OF(folders); i++)
		failed |= mkdir(scratch_path(folders[i]), 0700);
	for (size_t i = 0; i < RS_COUNT_OF(headers); i++)
		scratch_write(headers[i], "", 0);
	return failed;
}

static int teardown(void **state)
{
	rs_arena_destroy(arena);
	return scratch_remove(state);
}

/* The line of the build file that installs the header; 0: none does. */
static unsigned line_of(const char *build_file, const char *text, const char *header)
{
	const char *root = rs_path_canonical(arena, scratch_root);
	const struct rs_build_item *item;
	struct rs_installed *items;
	struct rs_notes notes;
	size_t n_items;

	scratch_write(build_file, text, strlen(text));
	rs_notes_init(&notes, arena);
	items = rs_installed_read(arena, root, &notes, &n_items);
	item = rs_installed_find(items, n_items, root, rs_arena_printf(arena, "%s/%s", root, header));
	if (item)
		assert_string_equal(rs_path_below(item->path, root), build_file);
	assert_int_equal(notes.n_items, 0);
	remove(scratch_path(build_file));
	return item ? item->line : 0;
}

#define EXPECT(build_file, text, header, line) assert_int_equal(line_of(build_file, text, header), line)

static void test_automake(void **state)
{
	static const char own[] = "noinst_HEADERS = own.h\n"
				  "LIB_HEADERS = lua.h\n"
				  "include_HEADERS = foo.h \\\n"
				  "\t$(MORE)\n"
				  "MORE = ../api/all.hpp\n";

	(void)state;
	EXPECT("src/Makefile.am", own, "src/foo.h", 3);
	EXPECT("src/Makefile.am", own, "api/all.hpp", 3);
	EXPECT("src/Makefile.am", own, "src/own.h", 0);
	EXPECT("src/Makefile.am", own, "src/lua.h", 0);
	EXPECT("src/Makefile.am", own, "foo.h", 0);
	EXPECT("Makefile.am", "foodir = $(includedir)/foo\nnobase_foo_HEADERS = include/foo/bar.h\n",
	       "include/foo/bar.h", 2);
	EXPECT("Makefile.am", "foo_HEADERS = include/foo/bar.h\n", "include/foo/bar.h", 0);
	/* The top one includes it. */
	EXPECT("include/automake.mk", "pkginclude_HEADERS = include/foo/bar.h\n", "include/foo/bar.h", 1);
	EXPECT("Makefile.am", "include_HEADERS = $(top_srcdir)/include/*.h\n", "include/foo.h", 1);
}

static void test_recipes(void **state)
{
	static const char lua[] = "INSTALL_TOP= /usr/local\n"
				  "INSTALL_INC= $(INSTALL_TOP)/include\n"
				  "TO_INC= lua.h luaconf.h\n"
				  "all:\n"
				  "\tcp foo.h build/include\n"
				  "install: all\n"
				  "\tcd src && $(INSTALL_DATA) $(TO_INC) $(INSTALL_INC)\n";

	(void)state;
	EXPECT("Makefile", lua, "src/lua.h", 7);
	EXPECT("Makefile", lua, "foo.h", 0);
	EXPECT("Makefile", "install:\n\t$(INSTALL) include/foo/*.h $(DESTDIR)$(includedir)\n",
	       "include/foo/bar.h", 2);
	EXPECT("Makefile", "install:\n\t$(INSTALL) include/foo/*.h $(DESTDIR)$(includedir)\n", "include/foo.h",
	       0);
	EXPECT("Makefile.in", "dev:\n\tcp $(SRC)foo.h \\\n\t  own.h '$(DESTDIR)$(includedir)'\n", "src/own.h",
	       2);
	EXPECT("Makefile", "install:\n\tfor i in include/*.h; do \\\n\t cp $$i $(PREFIX)/include; done\n",
	       "include/foo.h", 2);
	EXPECT("src/Makefile", "install:\n\tcp $$dir/*.h $(INSTALL_INC)\n", "src/deep/own.h", 2);
	EXPECT("src/Makefile", "install:\n\tcp $$dir/*.h $(INSTALL_INC)\n", "include/foo.h", 0);
	EXPECT("Makefile.in", "S = \ninstall:\n\tcp $(S)/include/*.h $(DESTDIR)/@HEADERS@\n", "include/foo.h",
	       3);
	/* The file that is there is meant, not others of its name. */
	EXPECT("Makefile", "install:\n\tcp foo.h $(DESTDIR)$(includedir)\n", "foo.h", 2);
	EXPECT("Makefile", "install:\n\tcp foo.h $(DESTDIR)$(includedir)\n", "src/foo.h", 0);
	EXPECT("Makefile", "install:\n\tcp prog $(DESTDIR)/bin\ntest:\n\tcc -Iinclude foo.h\n", "foo.h", 0);
	EXPECT("Makefile", "dist:\n\tcp include/*.h dist/include\n", "include/foo.h", 0);
	EXPECT("Makefile", "A = $(B)\nB = $(A)\ninstall:\n\tcp $(A) foo.h $(prefix)/include", "foo.h", 4);
}

static void test_meson(void **state)
{
	static const char text[] = "# install_headers('src/own.h')\n"
				   "headers = files('foo.h',\n  'include/foo.h')\n"
				   "headers += ['api/all.hpp']\n"
				   "if x == y\n"
				   "  install_headers(headers, 'include/foo/bar.h', subdir: 'src/lua.h')\n"
				   "endif\n"
				   "s = '''install_headers('src/own.h')'''\n";

	(void)state;
	EXPECT("meson.build", text, "foo.h", 6);
	EXPECT("meson.build", text, "include/foo.h", 6);
	EXPECT("meson.build", text, "api/all.hpp", 6);
	EXPECT("meson.build", text, "include/foo/bar.h", 6);
	EXPECT("meson.build", text, "src/lua.h", 0);
	EXPECT("meson.build", text, "src/own.h", 0);
	EXPECT("src/meson.build", "install_headers('../include/foo.h')", "include/foo.h", 1);
	EXPECT("meson.build", "install_subdir('include', install_dir: get_option('includedir'))",
	       "include/foo/bar.h", 1);
	EXPECT("meson.build", "install_subdir('include', install_dir: 'share')", "include/foo/bar.h", 0);
	EXPECT("meson.build", "install_headers('foo.h", "foo.h", 0);
}

static void test_cmake(void **state)
{
	static const char text[] = "set(ALL \"foo.h;include/foo.h\") # api/all.hpp\n"
				   "file(GLOB MORE include/foo/*.h)\n"
				   "add_definitions(-DA=\\\"${B}\\\")\n"
				   "install(FILES ${ALL} ${MORE}\n"
				   "  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/foo)\n"
				   "install(FILES src/own.h DESTINATION share)\n"
				   "INSTALL(DIRECTORY api/ DESTINATION include PATTERN src/lua.h)\n";

	(void)state;
	EXPECT("CMakeLists.txt", text, "foo.h", 4);
	EXPECT("CMakeLists.txt", text, "include/foo.h", 4);
	EXPECT("CMakeLists.txt", text, "include/foo/bar.h", 4);
	EXPECT("CMakeLists.txt", text, "src/own.h", 0);
	EXPECT("CMakeLists.txt", text, "api/all.hpp", 7);
	EXPECT("CMakeLists.txt", text, "src/lua.h", 0);
	EXPECT("src/CMakeLists.txt",
	       "install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/foo DESTINATION include)\n",
	       "include/foo/bar.h", 1);
	EXPECT("src/CMakeLists.txt",
	       "install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/foo DESTINATION include)\n", "include/foo.h",
	       0);
	EXPECT("src/CMakeLists.txt", "install(FILES ${CMAKE_CURRENT_SOURCE_DIR}/own.h TYPE INCLUDE)\n",
	       "src/own.h", 1);
	EXPECT("cmake/x.cmake",
	       "set_target_properties(foo PROPERTIES\n  PUBLIC_HEADER ../src/own.h VERSION 1)\n", "src/own.h",
	       1);
	EXPECT("CMakeLists.txt",
	       "target_sources(foo PUBLIC FILE_SET HEADERS FILES foo.h)\ninstall(TARGETS foo FILE_SET "
	       "HEADERS)\n",
	       "foo.h", 1);
	EXPECT("CMakeLists.txt", "target_sources(foo PUBLIC FILE_SET HEADERS FILES foo.h)\n", "foo.h", 0);
	EXPECT("CMakeLists.txt", "install(FILES foo.h \"", "foo.h", 0);
}

static void test_packages(void **state)
{
	(void)state;
	EXPECT("debian/libfoo-dev.install", "# usr/include\nlib/*.so\nusr/include/bar.h\n", "include/foo/bar.h",
	       3);
	EXPECT("debian/libfoo-dev.install", "src/own.h usr/include/foo/\n", "src/own.h", 1);
	EXPECT("debian/libfoo-dev.install", "usr/include/*.h\nusr/include/*\n", "src/own.h", 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_automake), cmocka_unit_test(test_recipes),  cmocka_unit_test(test_meson),
		cmocka_unit_test(test_cmake),    cmocka_unit_test(test_packages),
	};
	return cmocka_run_group_tests_name("installed", tests, setup, teardown);
}
