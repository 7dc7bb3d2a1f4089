import { join } from 'node:path'
import { type Command, Option } from 'commander'
import { explain } from '../command-line/command-help.ts'

interface DoctorFlags {
  output: 'wide' | 'json' | 'yaml'
}

/** Adds `doctor`. */
export function addDoctorCommand(program: Command): void {
  const command = program
    .command('doctor')
    .addOption(
      new Option('-o, --output <format>', 'output').choices(['wide', 'json', 'yaml']).default('wide'),
    )
    .action(showProtections)
  explain(
    command,
    'Show how this machine contains the renderers, plugins and actions that wadi up runs: each protection, whether it is active, what provides it, and how to enable it. The exit code is 0 even if protections are missing.',
    ['wadi doctor', 'wadi doctor -o json', 'WADI_RENDER_MEMORY=4GiB wadi doctor'],
  )
}

async function showProtections({ output }: DoctorFlags): Promise<void> {
  const { openContainment } = await import('@wadi/containment/containment.ts')
  const { pathFolders } = await import('@wadi/containment/find-program.ts')
  const { openOwnedFolder } = await import('@wadi/containment/owned-folder.ts')
  const { containmentSettings } = await import('@wadi/rpc/containment-settings.ts')
  const { readSettings } = await import('@wadi/rpc/service-settings.ts')
  const { renderMemory } = readSettings(containmentSettings, { env: process.env, argv: [] })
  await using scratch = await openOwnedFolder('wadi-render-')
  await using containment = await openContainment({
    folder: join(scratch.path, 'containment'),
    memoryBytes: renderMemory,
    programFolders: pathFolders(process.env['PATH']),
    hidden: [],
    warn: () => undefined,
  })
  const protections = containment.protections.map((protection) => ({ ...protection }))
  if (output !== 'wide') {
    const { structuredText } = await import('../output/structured-output.ts')
    process.stdout.write(structuredText({ protections }, output))
    return
  }
  const { tableText } = await import('../output/table.ts')
  const rows = protections.map(({ name, active, by, lacks }) => [name, active ? 'yes' : 'no', by || lacks])
  process.stdout.write(tableText(['PROTECTION', 'ACTIVE', 'BY, OR WHY NOT'], rows))
  const remedies = Map.groupBy(
    protections.filter(({ remedy }) => remedy !== ''),
    ({ remedy }) => remedy,
  )
  for (const [remedy, lacking] of remedies) {
    const names = lacking.map(({ name }) => name).join(', ')
    process.stdout.write(`\n${names}: ${lacking[0]?.lacks ?? ''}\n  ${remedy}\n`)
  }
}
