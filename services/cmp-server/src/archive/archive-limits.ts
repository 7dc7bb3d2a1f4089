/** What an archive of files may take. */
export interface ArchiveLimits {
  /** Most compressed bytes. */
  compressedBytes: number
  /** Most bytes after decompression. */
  extractedBytes: number
  /** Most files, folders and links. */
  entries: number
}
