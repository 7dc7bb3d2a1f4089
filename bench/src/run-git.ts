import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'

/** Runs git with exactly this environment and returns what it prints. */
export async function runGit(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  input: Buffer = Buffer.alloc(0),
): Promise<Buffer> {
  const child = spawn('git', args, { env: environment, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(input)
  const [output, [code]] = await Promise.all([buffer(child.stdout), once(child, 'exit')])
  if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${String(code)}`)
  return output
}
