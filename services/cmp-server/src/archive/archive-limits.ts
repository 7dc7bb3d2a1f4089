/** Limits on an archive of files. */
export interface ArchiveLimits {
  /** Most compressed bytes. */
  compressedBytes: number
  /** Most bytes after decompression. */
  extractedBytes: number
  /** Most files, directories and links. */
  entries: number
}
