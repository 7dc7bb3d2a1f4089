import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mainFile } from './run-wadi-fixture.ts'

/**
 * Runs the command line on a terminal, which script(1) gives it, and returns what the screen showed. Each answer is typed
 * when the next question, which ends in `prompt`, stands there.
 */
export async function runOnTerminal(
  args: string[],
  options: { environment: Record<string, string>; prompt: string; answers: string[] },
): Promise<string> {
  const { environment, prompt, answers } = options
  const words = [process.execPath, mainFile, ...args].map((word) => `'${word}'`)
  const child = spawn('script', ['--quiet', '--command', words.join(' '), '/dev/null'], {
    env: { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', TERM: 'dumb', ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let screen = ''
  let answered = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text
    const questions = screen.split(prompt).length - 1
    while (answered < questions && answered < answers.length) child.stdin.write(`${answers[answered++]}\n`)
  })
  await once(child, 'close')
  return screen
}
