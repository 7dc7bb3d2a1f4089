import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { hangLimitMs } from './hang-limit.ts'

/** Returns the output of a program that a person would run in a directory; throws its error output if it fails. */
export async function runProgram(
  [file = '', ...args]: readonly string[],
  { cwd, env }: { cwd: string; env: Readonly<Record<string, string>> },
): Promise<string> {
  const options = { cwd, env, timeout: hangLimitMs, maxBuffer: 64 * 1024 * 1024 }
  return (await promisify(execFile)(file, args, options)).stdout
}
