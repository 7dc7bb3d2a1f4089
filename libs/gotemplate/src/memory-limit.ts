/** The most memory that a Go program can have, in MiB. */
export const maxMemoryMiB = 512
