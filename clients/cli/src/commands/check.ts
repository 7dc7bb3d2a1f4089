import type { Command } from 'commander'
import { showExamples } from '../command-line/command-help.ts'
import { collect } from '../command-line/command-line-values.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { addPluginFlags, type PluginFlags } from '../plugins/plugin-flags.ts'
import { addValueFlags, type ValueFlags, valueFlagsHelp } from '../parameters/value-flags.ts'
import { outputOption } from '../output/output-option.ts'
import type { SourceFinding } from '../check/finding-output.ts'
import { branchOption } from '../tools/report-versions.ts'

interface CheckFlags extends PluginFlags, ValueFlags {
  repoRoot?: string
  namespace: string
  app: string
  branch?: string
  clusterVersion?: string
  former?: string
  operatorPolicies?: string
  rulesOf?: string
  output: 'text' | 'json' | 'yaml' | 'sarif'
}

/** Defines `check`. */
export function defineCheckCommand(command: Command, session: CommandSession): void {
  addValueFlags(addPluginFlags(command))
    .argument('<path...>', 'directories to render, of applications or manifests, or files of manifests')
    .option(
      '--repo-root <directory>',
      'root of the repository (default: the nearest parent directory with .git)',
    )
    .option('--namespace <namespace>', 'destination namespace, passed to Helm and policies', '')
    .option('--app <name>', 'Application whose .argocd-source-<name>.yaml and waivers apply', '')
    .addOption(branchOption())
    .option('--set <name=value>', 'Helm parameter of a chart (repeatable)', collect)
    .option('--kube-version <version>', 'Kubernetes version that a chart sees, for example 1.35')
    .option(
      '-a, --api-versions <group/version>',
      'API versions that a chart sees, separated by commas (repeatable)',
      collect,
    )
    .option(
      '--cluster-version <version>',
      'Kubernetes version whose schemas and API versions apply (default: what hydration takes with --rules-of, else --kube-version, else 1.30)',
    )
    .option(
      '--former <path>',
      'directory or file with the objects that are replaced, such as a checkout of the hydrated branch, for policies (default: all objects are new)',
    )
    .option(
      '--operator-policies <path>',
      "file or directory with the operator's admission policies, or with the ConfigMap wadi-policies-cm",
    )
    .option(
      '--rules-of <application>',
      "NAME or NAMESPACE/NAME of an Application on the server, whose gates of the operator and the cluster apply as in hydration; --app and --namespace are the Application's by default",
    )
    .addOption(outputOption('text', 'json', 'yaml', 'sarif'))
    .action((places: string[], flags: CheckFlags) => check(session, places, flags))
  showExamples(
    command,
    'wadi check environments/prod',
    'wadi check apps/web apps/shop -o sarif > findings.sarif',
    'wadi check charts/web --values prod.yaml',
    'wadi check hydrated/manifest.yaml -o json',
    'wadi check apps/web --former ../hydrated/web',
    'wadi check apps/web --operator-policies platform/wadi-policies-cm.yaml',
    'wadi check apps/web --rules-of web',
  )
  command.addHelpText(
    'after',
    `\n${valueFlagsHelp}` +
      '\nwadi.yaml at the root of the repository sets severities and waivers, and says whose objects may have waivers in annotations; a gate that it does not name denies.\nExit codes: 0 no denied finding, 1 a denied finding, 20 error. No output has the value that was found. -o json prints a list of {severity, rule, object, field, message, source, file, line}.',
  )
}

async function check(session: CommandSession, places: readonly string[], flags: CheckFlags): Promise<void> {
  const { openLocalPlugins } = await import('../plugins/local-plugins.ts')
  const { openCheckedSource } = await import('../check/checked-source.ts')
  const { checkSource, minorVersion, withoutRepeats } = await import('../check/check-source.ts')
  await using plugins = await openLocalPlugins(flags, session)
  const asked = await readGates(session, flags)
  const { application, namespace, gates: operator } = asked
  const version = flags.clusterVersion ?? (asked.kubernetesVersion || (flags.kubeVersion ?? '1.30'))
  const cluster = { minorVersion: minorVersion(version) }
  const options = {
    applicationName: application,
    destinationNamespace: namespace,
    values: flags,
    plugins,
    warn: session.warn,
    inform: session.inform,
    signal: session.signal,
  }
  const former =
    flags.former === undefined
      ? []
      : (await openCheckedSource(flags.former, { ...options, repositoryRoot: undefined, branch: undefined }))
          .manifests
  const findings: SourceFinding[] = []
  const covered: SourceFinding[] = []
  for (const place of places) {
    const { repoRoot: repositoryRoot, branch } = flags
    const source = await openCheckedSource(place, { ...options, repositoryRoot, branch })
    const checked = await checkSource(source, { application, cluster, namespace, former, operator })
    findings.push(...checked.findings)
    covered.push(...checked.covered)
  }
  await print(withoutRepeats(findings), withoutRepeats(covered), flags.output)
  if (findings.some(({ severity }) => severity === 'deny')) process.exitCode = 1
}

/** Reads what the operator asks for, and of whom the objects are. */
async function readGates(session: CommandSession, flags: CheckFlags) {
  const { operatorPolicies, rulesOf, app: application, namespace } = flags
  const { gatesOfFiles } = await import('../check/operator-gates.ts')
  if (rulesOf !== undefined) {
    const { readServerGates } = await import('../check/server-gates.ts')
    return readServerGates(session, flags, rulesOf)
  }
  const { readOperatorPolicies } = await import('../check/operator-policies.ts')
  const files = operatorPolicies === undefined ? undefined : await readOperatorPolicies(operatorPolicies)
  return { application, namespace, kubernetesVersion: '', gates: gatesOfFiles(files) }
}

async function print(
  findings: readonly SourceFinding[],
  covered: readonly SourceFinding[],
  output: CheckFlags['output'],
): Promise<void> {
  const { findingObject, findingTable, reportedFinding } = await import('../check/finding-output.ts')
  if (output === 'text') {
    const none = covered.length === 0 ? 'no findings\n' : `no findings, ${covered.length} waived\n`
    process.stdout.write(findings.length === 0 ? none : findingTable(findings))
    return
  }
  const { structuredText } = await import('../output/structured-output.ts')
  const { sarifLog } = await import('../check/sarif-log.ts')
  const text =
    output === 'sarif'
      ? structuredText(sarifLog([{ findings: [...findings, ...covered].map(reportedFinding) }]), 'json')
      : structuredText(findings.map(findingObject), output)
  process.stdout.write(text)
}
