import { branchKey } from '@wadi/hydration/branch-key.ts'
import type { ForgeHappening } from './forge-happenings.ts'
import type { Stage } from './happen.ts'
import { repoUrl } from './objects.ts'

type ForgeStage = Pick<Stage, 'beyond' | 'forgeCheck' | 'random' | 'scheduler'>

/** Lets something happen to the forge, or to a pull request there. */
export function happenToForge(stage: ForgeStage, happening: ForgeHappening): void {
  if (happening.kind === 'pull request') return changePullRequest(stage, happening)
  const { random, scheduler } = stage
  const { forge } = stage.beyond
  const until = scheduler.now + happening.milliseconds
  forge.trouble = () => {
    if (scheduler.now >= until) return undefined
    if (happening.kind === 'limited forge') return 'limited'
    return random.chance(happening.rate) ? random.of(['failing', 'late'] as const) : undefined
  }
  return undefined
}

function changePullRequest(
  { beyond: { forge, git, store }, forgeCheck }: ForgeStage,
  { branch, change }: Extract<ForgeHappening, { kind: 'pull request' }>,
): void {
  const wanted = change === 'reopen' ? 'closed' : 'open'
  const pull = forge.state.pulls.findLast(
    (one) => one.head === branch && one.state === wanted && !one.isMerged,
  )
  if (!pull) return
  const isThere = [pull.head, pull.base].every((name) => git.refs.has(`refs/heads/${name}`))
  if (change === 'merge') void (isThere && forge.merge(pull))
  else if (change === 'close')
    forgeCheck.closedBySomebody(pull, store.get('HydratedBranch', 'argocd', branchKey(repoUrl, branch)))
  else if (forge.open.every(({ head }) => head !== branch)) pull.state = 'open'
}
