import type { PluginFlags } from '../plugins/plugin-flags.ts'

/** The flags of `import`. */
export interface ImportOptions extends PluginFlags {
  branch: string
  path: string
  syncSourceRepo?: string
  app?: string[]
  selector: string
  repo?: string
  kubeconfig?: string
  write?: boolean
  commit?: string
  partial?: boolean
  moveParameters?: boolean
  takeOver?: boolean
  revert?: boolean
  check?: boolean
  manifests?: string
  output: 'text' | 'json' | 'yaml'
}
