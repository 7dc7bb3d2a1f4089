import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'

/** Runs git with exactly this environment and returns what it prints. */
export async function runGit(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  input?: Buffer,
): Promise<Buffer> {
  const child = spawn('git', args, {
    env: environment,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  child.stdin?.end(input)
  const output = child.stdout ? await buffer(child.stdout) : Buffer.alloc(0)
  const [code] = await exited
  if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${String(code)}`)
  return output
}
