import type { Target } from './target.ts'
import { archiveTargets } from './targets/archives.ts'
import { changeTargets } from './targets/changes.ts'
import { kubernetesObjectTargets } from './targets/kubernetes-objects.ts'
import { pluginTargets } from './targets/plugins.ts'
import { policyTargets } from './targets/policies.ts'
import { shortTextTargets } from './targets/short-texts.ts'
import { sourceTreeTargets } from './targets/source-trees.ts'
import { templateTargets } from './targets/templates.ts'
import { webhookTargets } from './targets/webhooks.ts'

/** Every reader that is tried. */
export const targets: readonly Target[] = [
  ...kubernetesObjectTargets,
  ...policyTargets,
  ...pluginTargets,
  ...shortTextTargets,
  ...sourceTreeTargets,
  ...templateTargets,
  ...webhookTargets,
  ...archiveTargets,
  ...changeTargets,
]
