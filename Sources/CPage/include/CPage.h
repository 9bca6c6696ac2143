/* The files of the page that `facediary window` shows, as they stand in the folder `page`. */
#pragma once

/* The name of a file, from 0 on; NULL behind the last. */
const char *cpage_name(long place);
/* Its bytes, and how many there are. */
const unsigned char *cpage_bytes(long place, long *size);
