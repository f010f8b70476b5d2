#ifndef WINREC_H
#define WINREC_H
#include <stdint.h>

typedef struct tagWINREC
{
	uint8_t		bKind;		// first
    uint8_t     bFlag;      // spaces here
	uint32_t	dwSize;
	uint64_t	qwPos;		/* two
					   lines */
} WINREC, *PWINREC;

#endif