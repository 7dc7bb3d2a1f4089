/** Something that a checker refuses, at a place that an editor can jump to. */
export interface Problem {
  /** Path relative to the project's root. */
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  readonly message: string
}

/** Prints the problems as `file:line: message` and makes the process exit 1; prints `allRight` when there are none. */
export function report(problems: readonly Problem[], allRight: string): void {
  if (problems.length === 0) {
    console.log(allRight)
    return
  }
  for (const { file, line, message } of problems) console.error(`${file}:${line}: ${message}`)
  console.error(`${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`)
  process.exitCode = 1
}
