/** The kind of an entry of a `FileTree`; symlinks and submodules are reported, never followed. */
export type FileKind = 'file' | 'executable' | 'symlink' | 'directory' | 'submodule'

/** One entry of a directory. */
export interface FileEntry {
  readonly name: string
  readonly kind: FileKind
  /** Identity of the content, that of everything below for a directory: equal ids, equal bytes. A git object id for commits. */
  readonly id: string
}

/**
 * The files that a render may read, all paths relative to the repository's root with `/` between the parts and `''`
 * for the root itself. Planning and rendering read through it alone, so whatever gives one is a source: a commit in a mirror
 * (`CommitTree` of `libs/git` has this shape), a directory on disk.
 */
export interface FileTree {
  /** The directories beside the root that have the files of other sources, see `besideRepository`; none by default. */
  readonly beside?: readonly string[]
  /** The entry at `path`, or undefined; a path through a file, symlink or submodule has none. */
  entry(path: string): Promise<FileEntry | undefined>
  /** The entries of a directory in byte order of their names; throws NotFoundError if `path` is not a directory. */
  list(path: string): Promise<readonly FileEntry[]>
  /** The bytes of a file, or a symlink's target; ResourceExhaustedError above `maxBytes`. */
  read(path: string, maxBytes: number): Promise<Buffer>
  /**
   * Fetches at once what of files, and of all in directories, is not at hand yet; without it everything is.
   * @param maxFilesEach directories with more files, which may not all be read, are left out; all come by default
   */
  ready?(paths: readonly string[], maxFilesEach?: number): Promise<void>
}
