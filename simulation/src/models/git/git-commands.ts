import type { GitObjects } from './git-objects.ts'

/** The output of a git command, and its exit code. */
interface Output {
  readonly stdout: string
  readonly exitCode: number
}

type Command = (objects: GitObjects, args: readonly string[]) => Output

const output = (stdout: string, exitCode = 0): Output => ({ stdout, exitCode })
const nulEnded = (lines: readonly string[]): string => lines.map((line) => `${line}\0`).join('')
const lineEnded = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

/** The commands that read a repository. */
const commands: Readonly<Record<string, Command>> = {
  'merge-base': (objects, args) => {
    const [one = '', other = ''] = args.filter((arg) => !arg.startsWith('-'))
    if (args.includes('--is-ancestor')) return output('', objects.isAncestor(one, other) ? 0 : 1)
    const shared = objects.history(one)
    const found = [...objects.history(other)].find((sha) => shared.has(sha))
    return found === undefined ? output('', 1) : output(`${found}\n`)
  },
  'rev-list': (objects, args) => output(lineEnded(range(objects, args).toReversed())),
  'ls-tree': (objects, args) =>
    output(nulEnded([...objects.commit(args.at(-1) ?? '').files.keys()].toSorted())),
  'diff-tree': (objects, args) => {
    const [from, to = ''] = args.filter((arg) => !arg.startsWith('-'))
    return output(nulEnded(objects.differingPaths(from, to)))
  },
  log: (objects, args) => {
    const separator = args.indexOf('--')
    const paths = args.slice(separator + 1)
    const commits = range(objects, args.slice(0, separator)).map((sha) => {
      const [parent] = objects.commit(sha).parents
      return { sha, files: objects.differingPaths(parent, sha) }
    })
    if (args.includes('--format=')) {
      const newest = commits.find(({ files }) => files.some((file) => paths.includes(file)))
      return output(nulEnded((newest?.files ?? []).filter((file) => paths.includes(file))))
    }
    return output(
      commits
        .map(({ sha, files }) => `\u0001${sha}\0${files.length > 0 ? `\n${nulEnded(files)}` : ''}`)
        .join(''),
    )
  },
}

/** Runs a command that only reads; undefined for one that is not known. */
export function readingCommand(
  objects: GitObjects,
  [name = '', ...args]: readonly string[],
): Output | undefined {
  return commands[name]?.(objects, args)
}

/** The commits of a range along first parents, the newest first. */
function range(objects: GitObjects, args: readonly string[]): string[] {
  const named = args.filter((arg) => !arg.startsWith('-'))
  const excluded = new Set(
    named.filter((arg) => arg.startsWith('^')).flatMap((arg) => [...objects.history(arg.slice(1))]),
  )
  const to = named.find((arg) => !arg.startsWith('^'))
  return [...objects.firstParents(to)].filter((sha) => !excluded.has(sha))
}
