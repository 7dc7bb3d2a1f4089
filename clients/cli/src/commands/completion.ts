import { Argument } from 'commander'
import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { completionNodes } from '../completion/completion-tree.ts'
import type { CompletionNode, ValueSource } from '../completion/completion-tree.ts'
import { textAt } from '../objects/json-fields.ts'

type Shell = 'bash' | 'zsh' | 'fish' | 'powershell'

const scripts: Record<Shell, () => Promise<(nodes: readonly CompletionNode[]) => string>> = {
  bash: async () => (await import('../completion/bash.ts')).bashScript,
  zsh: async () => (await import('../completion/zsh.ts')).zshScript,
  fish: async () => (await import('../completion/fish.ts')).fishScript,
  powershell: async () => (await import('../completion/powershell.ts')).powershellScript,
}

/** Adds `completion`, and the hidden `__complete` that its scripts call for names. */
export function addCompletionCommands(program: Command, session: CommandSession): void {
  const command = program
    .command('completion')
    .addArgument(new Argument('<shell>', 'shell to print the script for').choices(Object.keys(scripts)))
    .action(async (shell: Shell) => {
      const script = await scripts[shell]()
      process.stdout.write(script(completionNodes(program)))
    })
  explain(command, 'Print a script that completes commands, flags and names in a shell.', [
    'source <(wadi completion bash)',
    'wadi completion fish | source',
  ])
  program
    .command('__complete', { hidden: true })
    .argument('<source>')
    .action((source: ValueSource) => printNames(session, source))
}

const namesTimeoutMs = 2_000

/** Prints names one a line; says nothing at all when they cannot be had, because a shell waits at the prompt. */
async function printNames(session: CommandSession, source: ValueSource): Promise<void> {
  try {
    const names = await listNames(session, source)
    process.stdout.write(names.map((name) => `${name}\n`).join(''))
  } catch {
    process.exitCode = 1
  }
}

async function listNames(session: CommandSession, source: ValueSource): Promise<string[]> {
  if (source === 'contexts') {
    const { contextFilePath, readContextFile } = await import('../connection/context-file.ts')
    const path = session.flags().config ?? contextFilePath(session.environment)
    return plainWords((await readContextFile(path)).contexts.map(({ name }) => name))
  }
  if (source === 'rbac-words') {
    const { rbacResources } = await import('@wadi/rbac/policy/resources-and-actions.ts')
    const actions = rbacResources.flatMap((resource) => resource.actions)
    return plainWords([...new Set([...actions, ...rbacResources.map(({ name }) => name)])])
  }
  const server = await session.connect()
  const options = { signal: session.signal, timeoutMs: namesTimeoutMs }
  if (source === 'repositories') {
    const { repositories } = await server.repositories.listRepositories({}, options)
    return plainWords(repositories.map(({ repoUrl }) => repoUrl))
  }
  if (source === 'projects') {
    const { projects } = await server.projects.listProjects({}, options)
    return plainWords(projects.map((project) => textAt(project, 'metadata', 'name')))
  }
  if (source === 'clusters') {
    const { clusters } = await server.clusters.listClusters({}, options)
    return plainWords(clusters.map(({ name, server: address }) => name || address))
  }
  if (source === 'gpg-keys') {
    const { keys } = await server.gpgKeys.listGpgKeys({}, options)
    return plainWords(keys.map(({ keyId }) => keyId))
  }
  if (source === 'plugins') {
    const { plugins } = await server.plugins.listPlugins({}, options)
    return plainWords(plugins.map(({ name }) => name))
  }
  const { qualifiedName } = await import('../applications/application-name.ts')
  const objects =
    source === 'application-sets'
      ? (await server.applicationSets.listApplicationSets({}, options)).applicationSets
      : (await server.applications.listApplications({}, options)).applications
  // The server's own namespace needs no prefix.
  return plainWords(objects.map((object) => qualifiedName(object).replace(/^argocd\//, '')))
}

function plainWords(words: readonly string[]): string[] {
  return words.filter((word) => /^[\w.:/@~+-]+$/.test(word))
}
