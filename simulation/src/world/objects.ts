import type { Resource } from '@wadi/resources/resource.ts'
import type { PlannedApplication, WorldPlan } from './plan.ts'

/** The repository of a world: its dry branch is `main`. */
export const repoUrl = 'ssh://git@git.example.com/team/apps.git'

const pullRequestAnnotation = 'wadi.dev/pull-requests'

/** The Application that a world plans. */
export function applicationObject({ name, branch, promotion }: PlannedApplication): Resource {
  const target = promotion
    ? { hydrateTo: { targetBranch: branch }, syncSource: { targetBranch: promotion.base, path: name } }
    : { syncSource: { targetBranch: branch, path: name } }
  const annotations = promotion && { annotations: { [pullRequestAnnotation]: promotion.policy } }
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: 'argocd', ...annotations },
    spec: {
      project: 'default',
      destination: { server: 'https://kubernetes.default.svc', namespace: 'web' },
      sourceHydrator: {
        drySource: { repoURL: repoUrl, targetRevision: 'main', path: `apps/${name}` },
        ...target,
      },
    },
  }
}

/** The settings that a world's operator made. */
export function settingsObject({
  lineage,
  foreignChanges,
}: Pick<WorldPlan, 'lineage' | 'foreignChanges'>): Resource {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'argocd-cm', namespace: 'argocd' },
    data: { 'sourceHydrator.lineage': lineage, 'sourceHydrator.foreignChanges': foreignChanges },
  }
}
