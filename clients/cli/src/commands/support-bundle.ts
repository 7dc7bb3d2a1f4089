import { resolve } from 'node:path'
import type { Command } from 'commander'
import { showExamples } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'

interface BundleFlags {
  file?: string
  local?: boolean
}

/** More of one file says little; what is cut says so at its end. */
const maxFileLength = 2 * 1024 ** 2

/** Defines `support-bundle`. */
export function defineSupportBundleCommand(command: Command, session: CommandSession): void {
  command
    .option('--file <file>', 'the archive (default wadi-support-DATE.tar.gz in this directory)')
    .option('--local', 'leave the server out')
    .action((flags: BundleFlags) => collect(session, flags))
  showExamples(command, 'wadi support-bundle', 'wadi support-bundle --local --file support.tar.gz')
  command.addHelpText(
    'after',
    '\nIt holds what wadi doctor finds here and at the server, versions, settings, states, metrics and the last lines of the logs of services; no credentials, tokens, manifests and parameters. Names of repositories, Applications, branches and machines are in it: look through it before you send it.',
  )
}

async function collect(session: CommandSession, { file: given, local }: BundleFlags): Promise<void> {
  const { machineFiles, serverFiles, failureFile } = await import('../support/bundle-files.ts')
  const { withoutSecrets } = await import('../support/without-secrets.ts')
  const { writeArchive } = await import('../support/write-archive.ts')
  const { printable } = await import('../output/printable.ts')
  const { errorText } = await import('../command-line/error-text.ts')
  const files = await machineFiles(session)
  if (local !== true) {
    try {
      files.push(...(await serverFiles(session)))
    } catch (error) {
      session.signal.throwIfAborted()
      const reason = await errorText(error)
      session.warn(`the server is left out: ${reason}`)
      files.push(failureFile(reason))
    }
  }
  const hide = withoutSecrets(secretsOf(session))
  const contents = files.map(({ name, holds }) => `${name}: ${holds}\n`).join('')
  const all = [{ name: 'contents.txt', text: contents }, ...files]
  const name = `wadi-support-${new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}`
  const file = resolve(given ?? `${name}.tar.gz`)
  const size = await writeArchive(
    file,
    name,
    all.map((each) => ({ name: each.name, text: shortened(hide(each.text)) })),
  )
  process.stdout.write(`${printable(file)} (${Math.ceil(size / 1024)} KiB) holds:\n`)
  process.stdout.write(contents.replaceAll(/^(?=.)/gm, '  '))
}

/** Values of variables that the command line itself signs in with. */
function secretsOf(session: CommandSession): string[] {
  const named = Object.entries(session.environment).filter(([name]) =>
    /TOKEN|PASSW|SECRET|KEY|REDIS_URL/.test(name),
  )
  return [session.flags().authToken, ...named.map(([, value]) => value)].filter(
    (value) => value !== undefined,
  )
}

function shortened(text: string): string {
  if (text.length <= maxFileLength) return text
  return `${text.slice(0, maxFileLength)}\n… and ${text.length - maxFileLength} characters more\n`
}
