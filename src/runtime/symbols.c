/*
 * Names of functions, static ones too: from the symbol table of the file that the address is mapped from.
 */
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/access_internal.h"

struct module {
	uintptr_t address; /* that is looked for */
	uintptr_t bias;
	const char *path; /* NULL: not found */
};

struct file {
	const char *text;
	size_t size;
};

static int find_module(struct dl_phdr_info *info, size_t size, void *context)
{
	struct module *module = (struct module *)context;

	(void)size;
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + part->p_vaddr;

		if (part->p_type != PT_LOAD || module->address < start ||
		    module->address - start >= part->p_memsz)
			continue;
		module->bias = info->dlpi_addr;
		module->path = info->dlpi_name && info->dlpi_name[0] ? info->dlpi_name : "/proc/self/exe";
		return 1;
	}
	return 0;
}

static struct file map_file(const char *path)
{
	int descriptor = open(path, O_RDONLY | O_CLOEXEC);
	struct file file = { 0 };
	struct stat status;

	if (descriptor < 0)
		return file;
	if (fstat(descriptor, &status) == 0 && status.st_size > (off_t)sizeof(ElfW(Ehdr))) {
		void *text = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);

		if (text != MAP_FAILED)
			file = (struct file) { (const char *)text, (size_t)status.st_size };
	}
	close(descriptor);
	return file;
}

/* NULL: the part lies outside of the file, or is not aligned. */
static const void *part_of(const struct file *file, uint64_t offset, uint64_t size)
{
	return offset <= file->size && size <= file->size - offset && offset % 8 == 0 ? file->text + offset
										      : NULL;
}

static const char *find_in(const struct file *file, const ElfW(Shdr) * table, const ElfW(Shdr) * strings,
			   uintptr_t address)
{
	const ElfW(Sym) *symbols = (const ElfW(Sym) *)part_of(file, table->sh_offset, table->sh_size);
	size_t count = table->sh_size / sizeof *symbols;

	for (size_t i = 0; symbols && i < count; i++) {
		const ElfW(Sym) *symbol = &symbols[i];
		uint64_t name = symbol->st_name;

		if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && address >= symbol->st_value &&
		    address - symbol->st_value < symbol->st_size && name < strings->sh_size &&
		    strings->sh_offset < file->size && name < file->size - strings->sh_offset)
			return file->text + strings->sh_offset + name;
	}
	return NULL;
}

static const char *find_symbol(const struct file *file, uintptr_t address)
{
	const ElfW(Ehdr) *header = (const ElfW(Ehdr) *)(const void *)file->text;

	if (!file->text || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
		return NULL;
	const ElfW(Shdr) *sections = (const ElfW(Shdr) *)part_of(file, header->e_shoff,
								 (uint64_t)header->e_shnum * sizeof *sections);
	for (size_t i = 0; sections && i < header->e_shnum; i++)
		if (sections[i].sh_type == SHT_SYMTAB && sections[i].sh_link < header->e_shnum) {
			const char *found =
				find_in(file, &sections[i], &sections[sections[i].sh_link], address);

			if (found)
				return found;
		}
	return NULL;
}

void access_name(uintptr_t function, char *text, size_t size)
{
	struct module module = { .address = function };
	struct file file = { 0 };
	const char *name = NULL;

	dl_iterate_phdr(find_module, &module);
	if (module.path) {
		file = map_file(module.path);
		name = find_symbol(&file, function - module.bias);
	}
	if (function == 0)
		snprintf(text, size, "(unknown)");
	else if (name)
		snprintf(text, size, "%s", name);
	else
		snprintf(text, size, "0x%llx", (unsigned long long)(function - module.bias));
	for (char *c = text; *c; c++)
		if (*c == '"' || *c == '\\' || (unsigned char)*c < ' ')
			*c = '?';
	if (file.text)
		munmap((void *)(uintptr_t)file.text, file.size);
}
