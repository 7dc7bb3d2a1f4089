import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtempDisposable, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { isCommitSha } from '@wadi/git/mirror/revision.ts'
import { type CommitTree, openCommitTree, TreeCache } from '@wadi/git/objects/commit-tree.ts'
import { ObjectReader } from '@wadi/git/objects/object-reader.ts'
import { CorruptMirrorError } from '@wadi/git/process/git-failure.ts'
import { runGit } from '@wadi/git/process/run-git.ts'
import { CommandFailure } from '../../command-line/command-failure.ts'
import { nearestRepository } from '../../render/nearest-repository.ts'

/** The largest file beside git's objects that is read, such as `.git` of a linked working tree. */
const maxPointerBytes = 4096
/** The tree without entries, which every repository of git knows, by the hash that names its objects. */
const emptyTrees = {
  sha1: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  sha256: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
}
type ObjectFormat = keyof typeof emptyTrees
/** A revision that counts from what is checked out, such as `HEAD~1` and `@{upstream}`. */
const fromHead = /^(?:HEAD|@)(?:$|[~^:@{])/

/**
 * A checkout and the history behind it. Nothing is written into it: what git has to write goes to a temporary repository that
 * borrows its objects, and neither its configuration nor its hooks are used.
 */
export class LocalRepository implements AsyncDisposable {
  readonly root: string
  /** The id of the tree without entries. */
  readonly emptyTree: string
  readonly #gitDirectory: string
  /** Reads the checkout by its names; the objects of the working tree are not in it. */
  readonly #references: ObjectReader
  readonly #scratch: string
  readonly #objects: ObjectReader
  readonly #trees = new TreeCache()
  readonly #opened = new Map<string, Promise<CommitTree>>()
  readonly #owned: AsyncDisposableStack
  readonly #signal: AbortSignal

  private constructor(
    root: string,
    gitDirectory: string,
    scratch: string,
    format: ObjectFormat,
    owned: AsyncDisposableStack,
    signal: AbortSignal,
  ) {
    this.root = root
    this.emptyTree = emptyTrees[format]
    this.#gitDirectory = gitDirectory
    this.#scratch = scratch
    this.#owned = owned
    this.#signal = signal
    this.#references = owned.use(new ObjectReader(gitDirectory))
    this.#objects = owned.use(new ObjectReader(scratch))
  }

  /**
   * Opens the checkout around a directory.
   * @throws CommandFailure when there is none
   */
  static async open(directory: string, signal: AbortSignal): Promise<LocalRepository> {
    const root = nearestRepository(resolve(directory))
    if (!existsSync(join(root, '.git'))) throw new CommandFailure(`${directory} is not in a checkout of git`)
    const gitDirectory = await findGitDirectory(root)
    const common = await commonDirectory(gitDirectory)
    await using owned = new AsyncDisposableStack()
    const directoryOfScratch = owned.use(await mkdtempDisposable(join(tmpdir(), 'wadi-diff-'))).path
    const scratch = join(directoryOfScratch, 'scratch.git')
    const format = await objectFormat(common)
    await makeRepository(scratch, format)
    await writeFile(join(scratch, 'objects', 'info', 'alternates'), `${join(common, 'objects')}\n`)
    await copyIfThere(join(common, 'info', 'exclude'), join(scratch, 'info', 'exclude'))
    for (const name of await indexFiles(gitDirectory)) {
      await copyIfThere(join(gitDirectory, name), join(scratch, name))
    }
    return new LocalRepository(root, gitDirectory, scratch, format, owned.move(), signal)
  }

  /** The id of a commit; of a branch, where the remote `origin` has it is first looked at. Undefined when there is none. */
  async resolve(revision: string): Promise<string | undefined> {
    if (revision.startsWith('-') || /\p{Cc}/u.test(revision)) return undefined
    const short = revision.replace(/^refs\/heads\//, '')
    // `HEAD` is what is checked out; that of `origin`, which a clone has too, names its default branch.
    const isOwn = isCommitSha(revision) || fromHead.test(revision)
    const names = isOwn ? [revision] : [`refs/remotes/origin/${short}`, revision]
    for (const name of names) {
      const sha = await this.#references.resolve(`${name}^{commit}`)
      if (sha !== undefined) return sha
    }
    return undefined
  }

  /** Returns true if a name is that of a branch, of the checkout or of its remote `origin`. */
  async isBranch(name: string): Promise<boolean> {
    if (fromHead.test(name) || !/^[^~^:{}\p{Cc}]+$/u.test(name)) return false
    for (const directory of ['refs/remotes/origin', 'refs/heads']) {
      if ((await this.#references.resolve(`${directory}/${name}`)) !== undefined) return true
    }
    return false
  }

  /** The newest commit that two histories share; undefined when they share none, or a shallow clone does not know it. */
  async mergeBase(one: string, other: string): Promise<string | undefined> {
    if (one === other) return one
    const { stdout, exitCode } = await runGit({
      args: ['merge-base', one, other],
      gitDirectory: this.#gitDirectory,
      acceptExitCodes: [0, 1, 128],
      signal: this.#signal,
    })
    return exitCode === 0 ? stdout.toString().trim() : undefined
  }

  /**
   * The files of a commit or of a tree, the same object each time. Reading one that the checkout lacks ends the comparison, as
   * Applications would be missing in it.
   */
  async tree(id: string): Promise<CommitTree> {
    return this.#opened.getOrInsertComputed(id, async () =>
      complete(await openCommitTree(this.#objects, this.#trees, id)),
    )
  }

  /** The tree of the working tree: what is tracked, and what is neither tracked nor ignored. */
  async workingTree(): Promise<string> {
    const environment = { GIT_WORK_TREE: this.root, GIT_INDEX_FILE: join(this.#scratch, 'index') }
    const common = { gitDirectory: this.#scratch, environment, signal: this.#signal }
    await runGit({ ...common, args: ['add', '--all', '--', ':/'] })
    const { stdout } = await runGit({ ...common, args: ['write-tree'] })
    return stdout.toString().trim()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned.disposeAsync()
  }
}

/** A tree of which an absent object is a failure of the whole command. */
function complete(tree: CommitTree): CommitTree {
  const whole = async <T>(reading: Promise<T>): Promise<T> => {
    try {
      return await reading
    } catch (cause) {
      if (!(cause instanceof CorruptMirrorError)) throw cause
      const advice = `a partial clone has not all files: clone without --filter, or run "git fetch --refetch --no-filter"`
      throw new CommandFailure(`the checkout lacks files of ${tree.sha}; ${advice}`, undefined, { cause })
    }
  }
  return {
    ...tree,
    entry: async (path) => whole(tree.entry(path)),
    list: async (path) => whole(tree.list(path)),
    read: async (file, maxBytes) => whole(tree.read(file, maxBytes)),
  }
}

async function findGitDirectory(root: string): Promise<string> {
  const place = join(root, '.git')
  const stats = await stat(place)
  if (stats.isDirectory()) return place
  const pointer = stats.size <= maxPointerBytes ? await readFile(place, 'utf8') : ''
  const [, target] = /^gitdir: (.+)$/m.exec(pointer) ?? []
  if (target === undefined) throw new CommandFailure(`${place} names no git directory`)
  return resolve(root, target)
}

/** Linked working trees share objects with the one that they were made from. */
async function commonDirectory(gitDirectory: string): Promise<string> {
  const place = join(gitDirectory, 'commondir')
  return existsSync(place) ? resolve(gitDirectory, (await readFile(place, 'utf8')).trim()) : gitDirectory
}

/** Git reads this from the repository's own file alone, as it does with all extensions. */
async function objectFormat(common: string): Promise<ObjectFormat> {
  const config = await readFile(join(common, 'config'), 'utf8')
  return /^[^#;\n]*\bobjectformat\s*=\s*"?sha256\b/im.test(config) ? 'sha256' : 'sha1'
}

/** Makes the entries by which git recognizes a directory as a bare repository, without a process. */
async function makeRepository(directory: string, format: ObjectFormat): Promise<void> {
  await mkdir(join(directory, 'objects', 'info'), { recursive: true })
  await mkdir(join(directory, 'refs'))
  await writeFile(join(directory, 'HEAD'), 'ref: refs/heads/main\n')
  const extensions = format === 'sha1' ? '' : `[extensions]\n\tobjectformat = ${format}\n`
  const version = format === 'sha1' ? 0 : 1
  const config = `[core]\n\trepositoryformatversion = ${version}\n\tbare = true\n${extensions}`
  await writeFile(join(directory, 'config'), config)
}

/** The index, and the part of it that a split index shares with older ones. */
async function indexFiles(gitDirectory: string): Promise<string[]> {
  return ['index', ...(await readdir(gitDirectory)).filter((name) => name.startsWith('sharedindex.'))]
}

/** Copies with its time: by that of the index, git knows which files may have changed in the second after it was written. */
async function copyIfThere(from: string, to: string): Promise<void> {
  if (existsSync(from)) await cp(from, to, { preserveTimestamps: true })
}
