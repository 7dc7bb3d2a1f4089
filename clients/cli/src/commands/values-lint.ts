import type { Command } from 'commander'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain } from '../command-line/command-help.ts'
import { collect } from '../command-line/command-line-values.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { outputOption } from '../output/output-option.ts'

interface LintFlags {
  flavor?: string
  values?: string[]
  setValues?: string[]
  output: 'text' | 'json'
}

/** Adds `values lint`. */
export function addValuesLintCommand(values: Command, session: CommandSession): void {
  const command = values
    .command('lint')
    .argument(
      '<directory>',
      'directory of a working copy with a zarf.yaml, or with supply chains and workloads',
    )
    .option('-f, --values <file>', 'values file to try; the last one takes precedence (repeatable)', collect)
    .option('--set-values <path=value>', 'value to try; overrides the files (repeatable)', collect)
    .option('--flavor <name>', 'flavor of the package (default: that of its zarf-config)')
    .addOption(outputOption('text', 'json'))
    .action((directory: string, flags: LintFlags) => lint(session, directory, flags))
  explain(
    command,
    'Check a Zarf package, or the supply chains, templates and workloads in a directory, and list every error with file, line and column.',
    [
      'wadi values lint packages/web',
      'wadi values lint packages/web --values production.yaml --set-values web.replicas=3',
      'wadi values lint platform',
      'wadi values lint packages/web -o json',
    ],
  )
  command.addHelpText(
    'after',
    '\nThis checks all components, and wadi.yaml at the root of the repository. Paths start at the root of the git repository. Warnings do not fail the check.' +
      '\nExit codes: 0 no errors, 20 errors. -o json prints a list of {severity, file, line, column, message}.',
  )
}

async function lint(session: CommandSession, directory: string, flags: LintFlags): Promise<void> {
  const { openPackageDirectory } = await import('../values/package-directory.ts')
  const { readValuesFile } = await import('../values/values-file.ts')
  const { findingLine, findingObject } = await import('../values/finding-list.ts')
  const { sortFindings } = await import('@wadi/zarf/lint/finding.ts')
  const { lintPackage } = await import('@wadi/zarf/lint/lint-package.ts')
  const { chainFindings } = await import('../values/chain-findings.ts')
  const { settingsFindings } = await import('../values/settings-findings.ts')
  const opened = await openPackageDirectory(directory, session.warn)
  const entries = await opened.files.list(opened.directory)
  const isPackage = entries?.some(({ name }) => name === 'zarf.yaml') === true
  if (!isPackage && (flags.values ?? flags.setValues ?? flags.flavor) !== undefined) {
    throw new CommandFailure(
      `--values, --set-values and --flavor are for packages, and ${directory} has no zarf.yaml`,
    )
  }
  const found = isPackage
    ? await lintPackage(opened.files, opened.directory, {
        ...(flags.flavor !== undefined && { flavor: flags.flavor }),
        valuesFiles: await Promise.all((flags.values ?? []).map((path) => readValuesFile(path))),
        setValues: flags.setValues ?? [],
      })
    : await chainFindings(opened.files, opened.directory)
  if (found === undefined) {
    throw new CommandFailure(
      `${directory} has no zarf.yaml, and nothing below it is a supply chain, template or workload; name a directory with one of them`,
    )
  }
  session.signal.throwIfAborted()
  const findings = sortFindings([...(await settingsFindings(opened.trace)), ...found])
  if (flags.output === 'json') {
    const { structuredText } = await import('../output/structured-output.ts')
    process.stdout.write(structuredText(findings.map(findingObject), 'json'))
  } else {
    process.stdout.write(findings.map((finding) => `${findingLine(finding)}\n`).join(''))
  }
  const errors = findings.filter(({ severity }) => severity === 'error').length
  if (errors > 0) throw new CommandFailure(`${directory} has ${errors} ${errors === 1 ? 'error' : 'errors'}`)
}
