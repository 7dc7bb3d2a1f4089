import type { Command } from 'commander'
import type { CommandSession } from './command-session.ts'

/** Gives a command its flags, examples and sub-commands. */
type DefineCommand = (command: Command, session: CommandSession) => void

/** The facts about a command before it is loaded. */
export interface CommandEntry {
  readonly name: string
  /** Its sentence in the help. */
  readonly summary: string
  /** True if only scripts call it. */
  readonly hidden?: true
  readonly load: () => Promise<DefineCommand>
}

/** All commands in the order of the help. */
export const commandTable: readonly CommandEntry[] = [
  {
    name: 'demo',
    summary: 'Run a full hydration of a sample repository, with its own git server.',
    load: async () => (await import('../commands/demo.ts')).defineDemoCommand,
  },
  {
    name: 'up',
    summary: 'Run all services in this process and write a context with a new admin token.',
    load: async () => (await import('../commands/up.ts')).defineUpCommand,
  },
  {
    name: 'login',
    summary: 'Sign in to a server and make it the current context.',
    load: async () => (await import('../commands/login.ts')).defineLoginCommand,
  },
  {
    name: 'logout',
    summary: 'Sign out: end the session and delete its token. The context stays.',
    load: async () => (await import('../commands/logout.ts')).defineLogoutCommand,
  },
  {
    name: 'relogin',
    summary: 'Sign in to the current server again, in the same way as before.',
    load: async () => (await import('../commands/relogin.ts')).defineReloginCommand,
  },
  {
    name: 'app',
    summary: 'Manage Applications and their hydration.',
    load: async () => (await import('../commands/app.ts')).defineApplicationCommands,
  },
  {
    name: 'appset',
    summary:
      'Manage ApplicationSets. You need the same permission on every Application that a set generates.',
    load: async () => (await import('../commands/appset.ts')).defineApplicationSetCommands,
  },
  {
    name: 'branch',
    summary: 'List and show hydrated branches.',
    load: async () => (await import('../commands/branch.ts')).defineBranchCommands,
  },
  {
    name: 'env',
    summary: 'List stages, and promote from one to the next by pull requests.',
    load: async () => (await import('../commands/env.ts')).defineEnvironmentCommands,
  },
  {
    name: 'apply',
    summary: 'Create or change objects. Nothing is stored until all input is checked.',
    load: async () => (await import('../commands/apply.ts')).defineApplyCommand,
  },
  {
    name: 'proj',
    summary: 'Manage projects: repositories, destinations and roles.',
    load: async () => (await import('../commands/proj.ts')).defineProjectCommands,
  },
  {
    name: 'repo',
    summary: 'Manage repositories and their credentials.',
    load: async () => (await import('../commands/repo.ts')).defineRepositoryCommands,
  },
  {
    name: 'cert',
    summary: 'Manage which servers of repositories are trusted: certificate authorities and SSH host keys.',
    load: async () => (await import('../commands/cert.ts')).defineCertCommands,
  },
  {
    name: 'cluster',
    summary:
      'Manage the clusters that Applications and generators can use. Wadi stores no cluster credentials.',
    load: async () => (await import('../commands/cluster.ts')).defineClusterCommands,
  },
  {
    name: 'gpg',
    summary:
      'Manage the public GPG keys that verify signed commits and tags, and print those of hydrated commits.',
    load: async () => (await import('../commands/gpg.ts')).defineGpgCommands,
  },
  {
    name: 'plugin',
    summary: 'List, show and try config management plugins.',
    load: async () => (await import('../commands/plugin.ts')).definePluginCommands,
  },
  {
    name: 'render',
    summary:
      'Render a directory on this machine, byte for byte as a server with the same variables for renders (WADI_HELM, WADI_KUSTOMIZE_BUILD_OPTIONS and the others) would. Needs no server.',
    load: async () => (await import('../commands/render.ts')).defineRenderCommand,
  },
  {
    name: 'check',
    summary:
      'Check rendered objects on this machine for secrets in plain text, removed API versions, what the API server would reject, and by the admission policies of the repository. Needs no server, unless --rules-of names an Application.',
    load: async () => (await import('../commands/check.ts')).defineCheckCommand,
  },
  {
    name: 'diff',
    summary:
      'Show what a dry revision would change on all hydrated branches before it lands. Writes nothing.',
    load: async () => (await import('../commands/diff.ts')).defineRevisionDiffCommand,
  },
  {
    name: 'import',
    summary:
      'Move Applications and ApplicationSets of Argo CD from source to sourceHydrator: show or write what changes in their files. Needs no server.',
    load: async () => (await import('../commands/import.ts')).defineImportCommand,
  },
  {
    name: 'shadow',
    summary:
      'Compare what Wadi would hydrate with what Argo CD or a script pushes to the branches, on this machine. Writes nothing.',
    load: async () => (await import('../commands/shadow.ts')).defineShadowCommand,
  },
  {
    name: 'explain',
    summary:
      'Show where each value of an application comes from: who set it, file and line, and what it overrides.',
    load: async () => (await import('../commands/explain.ts')).defineExplainCommand,
  },
  {
    name: 'reproduce',
    summary: 'Render the dry commit of hydrated manifests again and compare the bytes.',
    load: async () => (await import('../commands/reproduce.ts')).defineReproduceCommand,
  },
  {
    name: 'verify',
    summary:
      'Verify that each commit of a hydrated branch is signed and attested by a known key. Needs no server.',
    load: async () => (await import('../commands/verify.ts')).defineVerifyCommand,
  },
  {
    name: 'values',
    summary: 'Check a Zarf package and show its values. Needs no server.',
    load: async () => (await import('../commands/values.ts')).defineValuesCommands,
  },
  {
    name: 'admin',
    summary:
      'Administer a server: back up and restore its data, validate RBAC offline, show the initial password.',
    load: async () => (await import('../commands/admin.ts')).defineAdminCommands,
  },
  {
    name: 'account',
    summary: 'Manage local accounts, and show your permissions.',
    load: async () => (await import('../commands/account.ts')).defineAccountCommands,
  },
  {
    name: 'doctor',
    summary:
      'Find what is wrong with this machine or, with --remote, with a server and its services, and what fixes it.',
    load: async () => (await import('../commands/doctor.ts')).defineDoctorCommand,
  },
  {
    name: 'support-bundle',
    summary: 'Collect in one archive, without secrets, what helps others to help you.',
    load: async () => (await import('../commands/support-bundle.ts')).defineSupportBundleCommand,
  },
  {
    name: 'tools',
    summary: 'Manage the versions of Helm and Kustomize that git may ask for, on this machine or a server.',
    load: async () => (await import('../commands/tools.ts')).defineToolsCommands,
  },
  {
    name: 'context',
    summary: 'List contexts, switch to one or delete one.',
    load: async () => (await import('../commands/context.ts')).defineContextCommand,
  },
  {
    name: 'version',
    summary: 'Show the versions of this command line and of the server.',
    load: async () => (await import('../commands/version.ts')).defineVersionCommand,
  },
  {
    name: 'completion',
    summary: 'Print a script that completes commands, flags and names in a shell.',
    load: async () => (await import('../commands/completion.ts')).defineCompletionCommand,
  },
  {
    name: '__complete',
    summary: '',
    hidden: true,
    load: async () => (await import('../commands/complete.ts')).defineCompleteCommand,
  },
]
