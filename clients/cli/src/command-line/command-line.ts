import { withoutUserInfo } from '@wadi/errors/redaction.ts'
import { Command, CommanderError, Option } from 'commander'
import { CommandFailure, failureExitCode } from './command-failure.ts'
import { collect, count } from './command-line-values.ts'
import { commandTable } from './command-table.ts'
import type { CommandSession } from './command-session.ts'
import type { GlobalFlags } from './global-flags.ts'
import { errorText } from './error-text.ts'
import { logFormats, logLevels, writeLog } from './log-line.ts'
import { namedCommand, splitWords, withPlainBooleans } from './option-words.ts'
import { programVersion } from './program-version.ts'

/**
 * Runs one command line without the program's name. The exit code lands in `process.exitCode`: 0, 1 for a command line
 * that cannot be understood, 20 for every failed call or check, or what the command itself promises.
 */
export async function runCommandLine(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  process.stdout.on('error', endQuietlyWithoutReader)
  const interruption = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      process.exitCode = name === 'SIGINT' ? 130 : 143
      interruption.abort()
    })
  }
  const program = createProgram()
  const session = openSession(program, environment, interruption.signal)
  try {
    const words = [...splitWords(environment['WADI_OPTS'] ?? ''), ...args]
    const named = namedCommand(program, words)
    await addCommands(program, session, (name) => name === named)
    shortenUsageErrors(program, 'wadi')
    await program.parseAsync(withPlainBooleans(program, words), { from: 'user' })
  } catch (error) {
    if (interruption.signal.aborted) return
    await reportFailure(error, logSettings(program))
  }
}

/** Returns the program with all commands, for what describes them. */
export async function wholeProgram(): Promise<Command> {
  return await openSession(createProgram(), {}, new AbortController().signal).wholeProgram()
}

function createProgram(): Command {
  const program = new Command('wadi')
    .description('Render DRY configuration from git into hydrated branches.')
    .exitOverride()
    .configureHelp({ showGlobalOptions: false, subcommandTerm: (command) => command.name() })
    .configureOutput({ outputError: (text, write) => write(withoutUserInfo(text)) })
  addGlobalFlags(program)
  return program
}

function openSession(program: Command, environment: NodeJS.ProcessEnv, signal: AbortSignal): CommandSession {
  return {
    environment,
    signal,
    flags: () => program.opts<GlobalFlags>(),
    connect: async (...names) => {
      const { connectToServer } = await import('../connection/server-connection.ts')
      return connectToServer(program.opts<GlobalFlags>(), environment, ...names)
    },
    warn: (message) => writeLog(logSettings(program), 'warning', message),
    inform: (message) => writeLog(logSettings(program), 'info', message),
    async wholeProgram() {
      const whole = createProgram()
      await addCommands(whole, this, () => true)
      return whole
    },
  }
}

/** Adds all commands; those that are not loaded are names in the help. */
async function addCommands(
  program: Command,
  session: CommandSession,
  isLoaded: (name: string) => boolean,
): Promise<void> {
  for (const { name, summary, hidden = false, load } of commandTable) {
    const command = program.command(name, { hidden }).description(summary)
    if (isLoaded(name)) (await load())(command, session)
  }
}

/** Has usage errors followed by the usage alone: below the whole help they would be out of sight. */
function shortenUsageErrors(command: Command, path: string): void {
  const usage = command.createHelp().commandUsage(command)
  command.showHelpAfterError(`\nUsage: ${usage}\nRun "${path} --help" for all of it.`)
  for (const child of command.commands) shortenUsageErrors(child, `${path} ${child.name()}`)
}

function addGlobalFlags(program: Command): void {
  program
    .version(`wadi: ${programVersion}`, '--version', 'print the version of this command line')
    .option('--server <address>', 'host:port or URL of the server ($WADI_SERVER)')
    .option(
      '--auth-token <token>',
      'token to authenticate with ($WADI_AUTH_TOKEN keeps it out of the process list)',
    )
    .option('--plaintext', 'use HTTP without TLS')
    .option('--insecure', 'accept any server certificate')
    .option('--server-crt <file>', 'certificate authority of the server, PEM')
    .option('--client-crt <file>', 'client certificate, PEM')
    .option('--client-crt-key <file>', 'key of the client certificate, PEM')
    .option('-H, --header <header>', 'additional "Name: value" header for every call (repeatable)', collect)
    .option('--config <file>', 'context file (default $WADI_CONFIG_DIR/config, else ~/.config/wadi/config)')
    .option('--wadi-context <name>', 'context to use instead of the current one')
    .option('--http-retry-max <number>', 'retries for read requests when the server is unavailable', count, 0)
    .addOption(
      new Option('--logformat <format>', 'format of warnings and errors').choices(logFormats).default('text'),
    )
    .addOption(new Option('--loglevel <level>', 'lowest level to log').choices(logLevels).default('info'))
    .addHelpText(
      'after',
      '\nWADI_OPTS adds global flags. Exit codes: 0 done, 1 wrong usage, 20 failed call or check.',
    )
}

async function reportFailure(error: unknown, settings: Parameters<typeof writeLog>[0]): Promise<void> {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode
    return
  }
  process.exitCode = error instanceof CommandFailure ? error.exitCode : failureExitCode
  const text = await errorText(error)
  if (text !== '') writeLog(settings, 'fatal', text)
}

function logSettings(program: Command): Parameters<typeof writeLog>[0] {
  const { logformat, loglevel } = program.opts<GlobalFlags>()
  return { format: logformat ?? 'text', level: loglevel }
}

function endQuietlyWithoutReader(error: NodeJS.ErrnoException): void {
  // `wadi app list | head -1`: the reader has what it wanted.
  if (error.code !== 'EPIPE') throw error
  process.exit()
}
