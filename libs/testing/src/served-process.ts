import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

interface Served {
  /** The server's name in the error. */
  readonly title: string
  /** Asked again and again: what throws and what is not accepted is no answer yet. */
  readonly url: string
  readonly accepts?: (status: number) => boolean
  readonly readyMs?: number
}

/**
 * Waits until a server that was started answers, and ends it with the stack.
 * @throws Error with the end of what it printed if it ends before, or does not answer in time
 */
export async function untilServed(
  child: ChildProcess,
  owned: AsyncDisposableStack,
  { title, url, accepts = (status) => status === 200, readyMs = 60_000 }: Served,
): Promise<void> {
  const exited = once(child, 'exit')
  let said = ''
  for (const output of [child.stdout, child.stderr]) {
    output?.setEncoding('utf8').on('data', (text: string) => (said = `${said}${text}`.slice(-4_000)))
  }
  owned.defer(async () => {
    child.kill('SIGKILL')
    await exited
  })
  for (const deadline = performance.now() + readyMs; !(await answers(url, accepts));) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error(`no ${title}: ${said}`)
    await delay(25)
  }
}

async function answers(url: string, accepts: (status: number) => boolean): Promise<boolean> {
  return fetch(url).then(
    ({ status }) => accepts(status),
    () => false,
  )
}
