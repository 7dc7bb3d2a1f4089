import type { Replies } from '@wadi/git/process/replies.ts'
import type { CommittedFile, Files, GitObjects } from './git-objects.ts'

/** The commands of a `git fast-import`, cut into lines and contents. */
class CommandReader {
  readonly #chunks: AsyncIterator<Buffer | string>
  #rest = Buffer.alloc(0)

  constructor(chunks: AsyncIterable<Buffer | string>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** The next line without its end; undefined after the last one. */
  async line(): Promise<string | undefined> {
    for (;;) {
      const end = this.#rest.indexOf('\n')
      if (end >= 0) {
        const line = this.#rest.toString('utf8', 0, end)
        this.#rest = this.#rest.subarray(end + 1)
        return line
      }
      if (!(await this.#more())) return undefined
    }
  }

  /** The content of a `data` command, of which the line is read. */
  async data(line = ''): Promise<Buffer> {
    const length = Number(/^data (\d+)$/.exec(line)?.[1])
    while (this.#rest.length <= length) if (!(await this.#more())) throw new Error('a content is cut short')
    const bytes = Buffer.from(this.#rest.subarray(0, length))
    this.#rest = this.#rest.subarray(length + 1)
    return bytes
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#chunks.next()
    if (done) return false
    this.#rest = Buffer.concat([this.#rest, Buffer.from(value)])
    return true
  }
}

/** Carries out what a `git fast-import` is told, and writes its answers. */
export async function fastImport(
  objects: GitObjects,
  commands: AsyncIterable<Buffer | string>,
  replies: Replies,
): Promise<{ stdout: string; commits: string[] }> {
  const reader = new CommandReader(commands)
  const marks = new Map<string, string>()
  const tips = new Map<string, string>()
  const imported: { stdout: string; commits: string[] } = { stdout: '', commits: [] }
  const named = (name: string): string => (name.startsWith(':') ? (marks.get(name) ?? '') : name)
  const answer = (text: string): void => {
    imported.stdout += `${text}\n`
    replies.push(Buffer.from(`${text}\n`))
  }
  for (let line = await reader.line(); line !== undefined && line !== 'done'; line = await reader.line()) {
    const [command, argument = ''] = line.split(' ', 2)
    if (command === 'blob') {
      const mark = (await reader.line())?.replace('mark ', '')
      const isMarked = mark?.startsWith(':') === true
      const id = objects.putBlob(await reader.data(isMarked ? await reader.line() : mark))
      if (isMarked) marks.set(mark, id)
    } else if (command === 'commit') {
      const { mark, sha } = await importCommit(objects, reader, tips.get(argument), named)
      marks.set(mark, sha)
      tips.set(argument, sha)
      imported.commits.push(sha)
    } else if (command === 'reset') tips.delete(argument)
    else if (command === 'get-mark') answer(named(argument))
    else if (command === 'ls') answer(`040000 tree ${objects.commit(named(argument)).tree}\t`)
    else if (command !== '' && command !== 'from') throw new Error(`unknown command ${line}`)
  }
  return imported
}

async function importCommit(
  objects: GitObjects,
  reader: CommandReader,
  tip: string | undefined,
  named: (name: string) => string,
): Promise<{ mark: string; sha: string }> {
  const field = async (name: string): Promise<string> => (await reader.line())?.slice(name.length + 1) ?? ''
  const mark = await field('mark')
  const author = await field('author')
  const committer = await field('committer')
  const message = (await reader.data(await reader.line())).toString()
  let parent = tip
  let line = await reader.line()
  if (line?.startsWith('from ')) {
    parent = named(line.slice('from '.length))
    line = await reader.line()
  }
  const files = new Map(parent === undefined ? [] : objects.commit(parent).files)
  for (; line; line = await reader.line()) {
    const [command, mode = '', source = ''] = line.split(' ', 3)
    if (command === 'deleteall') files.clear()
    else if (command === 'D') remove(files, unquoted(line.slice(2)))
    else if (command === 'M') {
      const path = unquoted(line.slice(`M ${mode} ${source} `.length))
      const id = source === 'inline' ? objects.putBlob(await reader.data(await reader.line())) : named(source)
      put(files, path, { mode, id })
    } else throw new Error(`unknown command ${line}`)
  }
  const parents = parent === undefined ? [] : [parent]
  return { mark, sha: objects.putCommit({ parents, files, author, committer, message }) }
}

/** Puts a file where it is said to be: what is in its way goes. */
function put(files: Map<string, CommittedFile>, path: string, file: CommittedFile): void {
  if (file.mode === '040000') throw new Error('this model of git takes no directory as a whole')
  for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
    files.delete(path.slice(0, slash))
  }
  remove(files, path)
  files.set(path, file)
}

function remove(files: Map<string, CommittedFile>, path: string): void {
  files.delete(path)
  for (const other of files.keys()) if (other.startsWith(`${path}/`)) files.delete(other)
}

function unquoted(path: string): string {
  if (!path.startsWith('"')) return path
  return path
    .slice(1, -1)
    .replaceAll(/\\(.)/gu, (_, character: string) => (character === 'n' ? '\n' : character))
}

/** Returns the files with some written, or removed where the content is undefined. */
export function changedFiles(
  objects: GitObjects,
  files: Files,
  changes: Readonly<Record<string, string | undefined>>,
): Files {
  const changed = new Map(files)
  for (const [path, text] of Object.entries(changes)) {
    if (text === undefined) remove(changed, path)
    else put(changed, path, { mode: '100644', id: objects.putBlob(Buffer.from(text)) })
  }
  return changed
}
