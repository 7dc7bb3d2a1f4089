import { NotFoundError } from '@wadi/errors/domain-error.ts'
import type { Plugin, PluginCall, Plugins } from './plugins.ts'

/** A plugin that remembers what it was asked. */
interface TestPlugin extends Plugin {
  readonly matched: PluginCall[]
  readonly generated: PluginCall[]
}

/** A ConfigMap as a plugin prints it. */
export function configMap(name: string, data: Readonly<Record<string, string>> = {}): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data })
}

/** A plugin in this process: without discovery, matching everything if asked, and printing one ConfigMap. */
export function testPlugin(
  name: string,
  behaviour: Partial<
    Pick<
      Plugin,
      'identity' | 'program' | 'discovery' | 'isStrict' | 'variables' | 'wantsGitCredentials' | 'match'
    > & {
      generate: (call: PluginCall) => Promise<Partial<Awaited<ReturnType<Plugin['generate']>>>>
    }
  > = {},
): TestPlugin {
  const matched: PluginCall[] = []
  const generated: PluginCall[] = []
  return {
    name,
    identity: behaviour.identity ?? '',
    program: behaviour.program ?? { version: '', sha256: '', image: '' },
    discovery: behaviour.discovery,
    isStrict: behaviour.isStrict ?? false,
    variables: behaviour.variables ?? new Map(),
    wantsGitCredentials: behaviour.wantsGitCredentials ?? false,
    matched,
    generated,
    match: async (call) => {
      matched.push(call)
      return (await behaviour.match?.(call)) ?? true
    },
    announce: async () => ({ announcements: [], warnings: [] }),
    generate: async (call) => {
      generated.push(call)
      const made = await behaviour.generate?.(call)
      return { manifests: [configMap(name)], warnings: [], identity: behaviour.identity ?? '', ...made }
    },
  }
}

/** Plugins in the order in which they are asked. */
export function testPlugins(...plugins: Plugin[]): Plugins {
  return {
    identity: async () => JSON.stringify(plugins.map(({ name, identity }) => [name, identity])),
    list: async () => plugins,
    get: async (name) => {
      const plugin = plugins.find((candidate) => candidate.name === name)
      if (plugin === undefined) throw new NotFoundError(`no plugin "${name}"`)
      return plugin
    },
  }
}
