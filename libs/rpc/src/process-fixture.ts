import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'

/** The program that serves the test server as a process of its own. */
export const processFile = path.join(import.meta.dirname, 'served-process-fixture.ts')

/** Starts the program, whose List call takes `milliseconds`; disposal kills it. */
export async function startProcess(milliseconds: string, listen = '127.0.0.1:0') {
  const child = spawn(process.execPath, [processFile, milliseconds, listen], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const nextLine = async () => String((await lines.next()).value)
  return {
    child,
    /** Returns the next line that it prints: its address, then `called` for each List call. */
    nextLine,
    address: await nextLine(),
    exited: once(child, 'exit'),
    [Symbol.asyncDispose]: async () => void child.kill('SIGKILL'),
  }
}
