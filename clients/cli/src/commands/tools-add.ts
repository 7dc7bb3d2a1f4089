import type { Command } from 'commander'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completeWith } from '../completion/completion-tree.ts'

interface AddFlags {
  from?: string
  sha256?: string
  remote?: boolean
}

/** Adds `tools add`. */
export function addToolsAddCommand(tools: Command, session: CommandSession): void {
  const command = tools
    .command('add')
    .argument('<tool>', 'helm or kustomize')
    .argument('<version>', 'one exact version, such as 4.2.4')
    .option(
      '--from <file>',
      'the archive of the release (tar.gz), or the program; by default the archive is downloaded',
    )
    .option('--sha256 <digest>', 'digest of the file; by default the one of the list of releases')
    .option(
      '--remote',
      'have the server download a release of its list instead; needs the right to change settings',
    )
    .action((tool: string, version: string, flags: AddFlags) => addTool(session, tool, version, flags))
  explain(
    command,
    'Add a version: its archive must have the digest of the list of releases (WADI_TOOL_LIST, else the one of Wadi), and its program report the version.',
    [
      'wadi tools add helm 4.2.4',
      'wadi tools add kustomize 5.8.1 --from kustomize_v5.8.1_linux_amd64.tar.gz',
      'wadi tools add helm 4.2.4 --remote',
    ],
  )
  completeWith(command, 'tool-releases')
}

async function addTool(session: CommandSession, tool: string, text: string, flags: AddFlags): Promise<void> {
  const { from, sha256, remote } = flags
  const { namedTool } = await import('../tools/local-tools.ts')
  const named = namedTool(tool, text)
  const { name, version } = named
  if (remote) {
    if (from !== undefined || sha256 !== undefined)
      throw new CommandFailure(
        'a server downloads by its own list: leave out --from and --sha256, or --remote',
        1,
      )
    const server = await session.connect('tools')
    const answer = await server.tools.addTool({ tool: named }, { signal: session.signal, timeoutMs: maxMs })
    return report(name, version, answer)
  }
  const { addLocalTool } = await import('../tools/add-local-tool.ts')
  const { program, ...added } = await addLocalTool(session, named, { from, sha256 })
  report(name, version, added, program)
}

/** A large archive from a slow mirror takes its time. */
const maxMs = 6 * 60_000

function report(
  name: string,
  version: string,
  { sha256, wasThere }: { readonly sha256: string; readonly wasThere: boolean },
  program?: string,
): void {
  const where = program === undefined ? '' : `: ${program}`
  process.stdout.write(
    `${name} ${version} ${wasThere ? 'is already there' : 'added'}${where} (sha256:${sha256})\n`,
  )
}
