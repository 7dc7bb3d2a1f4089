import type { Command } from 'commander'
import type { CommandSession } from '../command-line/command-session.ts'
import { listApplications } from '../applications/list-applications.ts'
import type { ValueSource } from '../completion/completion-tree.ts'
import { textAt } from '@wadi/fields/json-fields.ts'

/** Defines the hidden `__complete` that the scripts of `completion` call for names. */
export function defineCompleteCommand(command: Command, session: CommandSession): void {
  command.argument('<source>').action((source: ValueSource) => printNames(session, source))
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
  if (source === 'tools' || source === 'tool-releases') return plainWords(await toolWords(session, source))
  const options = { signal: session.signal, timeoutMs: namesTimeoutMs }
  if (source === 'repositories') {
    const server = await session.connect('repositories')
    const { repositories } = await server.repositories.listRepositories({}, options)
    return plainWords(repositories.map(({ repoUrl }) => repoUrl))
  }
  if (source === 'projects') {
    const server = await session.connect('projects')
    const { projects } = await server.projects.listProjects({}, options)
    return plainWords(projects.map((project) => textAt(project, 'metadata', 'name')))
  }
  if (source === 'clusters') {
    const server = await session.connect('clusters')
    const { clusters } = await server.clusters.listClusters({}, options)
    return plainWords(clusters.map(({ name, server: address }) => name || address))
  }
  if (source === 'gpg-keys') {
    const server = await session.connect('gpgKeys')
    const { keys } = await server.gpgKeys.listGpgKeys({}, options)
    return plainWords(keys.map(({ keyId }) => keyId))
  }
  if (source === 'trusted-servers') {
    const server = await session.connect('certificates')
    const { items } = await server.certificates.listCertificates({}, options)
    return plainWords([...new Set(items.map(({ serverName }) => serverName))])
  }
  if (source === 'plugins') {
    const server = await session.connect('plugins')
    const { plugins } = await server.plugins.listPlugins({}, options)
    return plainWords(plugins.map(({ name }) => name))
  }
  if (source === 'branches') {
    const server = await session.connect('branches')
    const { branches } = await server.branches.listBranches({ limit: 500 }, options)
    return plainWords([...new Set(branches.map(({ branch }) => branch))])
  }
  const { qualifiedName } = await import('../applications/application-name.ts')
  const objects =
    source === 'application-sets'
      ? (await (await session.connect('applicationSets')).applicationSets.listApplicationSets({}, options))
          .applicationSets
      : await listApplications(
          session,
          { fields: ['metadata.name', 'metadata.namespace'] },
          AbortSignal.any([session.signal, AbortSignal.timeout(namesTimeoutMs)]),
        )
  // The server's own namespace needs no prefix.
  return plainWords(objects.map((object) => qualifiedName(object).replace(/^argocd\//, '')))
}

/** Returns the names of tools and their versions: those that are there, or those of the list of releases. */
async function toolWords(
  { environment, signal }: CommandSession,
  source: 'tools' | 'tool-releases',
): Promise<string[]> {
  const { openLocalTools, readLocalList } = await import('../tools/local-tools.ts')
  const { installedVersions } = await import('@wadi/renderer-tools/list-tools.ts')
  const { plainVersion, toolNames } = await import('@wadi/hydration/tool-versions.ts')
  const known =
    source === 'tools'
      ? installedVersions((await openLocalTools(environment, signal)).tools)
      : (await readLocalList(environment)).releases
  return [...toolNames, ...new Set(known.map(({ version }) => plainVersion(version)))]
}

function plainWords(words: readonly string[]): string[] {
  return words.filter((word) => /^[\w.:/@~+-]+$/.test(word))
}
