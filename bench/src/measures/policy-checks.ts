import { Enforcer } from '@wadi/rbac/decide/enforcer.ts'
import { readPolicyConfig } from '@wadi/rbac/policy/read-policy-config.ts'
import { newEnforcer, newModelFromString, StringAdapter } from 'casbin'
import type { Effort } from '../effort.ts'
import { atMost, type Cost, costText, information, type Measurement, median } from '../measurement.ts'

const standardRounds = 5
const checks = 200_000
const casbinChecks = 100
const comparedChecks = 200
const listedApplications = 5_000
// 200,000 checks a second.
const checkBar = 5
const listingBar = 0.3

const projects = 60
const actions = ['get', 'create', 'update', 'delete', 'sync', 'override', 'rollback', 'action/*', 'update/*']
const user = 'ada'

/** The model of Argo CD; its matcher for globs is a function of the program that embeds casbin. */
const model = `[request_definition]
r = sub, res, act, obj
[policy_definition]
p = sub, res, act, obj, eft
[role_definition]
g = _, _
[policy_effect]
e = some(where (p.eft == allow)) && !some(where (p.eft == deny))
[matchers]
m = g(r.sub, p.sub) && globMatch(r.res, p.res) && globMatch(r.act, p.act) && globMatch(r.obj, p.obj)
`

interface Request {
  readonly action: string
  readonly object: string
}

/** Asks Wadi's enforcer and node-casbin the same about one policy of 650 rules, and filters a long list for one user. */
export async function measurePolicyChecks(effort: Effort): Promise<Measurement[]> {
  const rounds = effort.rounds(standardRounds)
  const policy = policyLines().join('\n')
  const enforcer = enforcerOf(policy)
  const casbin = await casbinOf(policy)
  compareVerdicts(enforcer, casbin)
  const ours: Cost[] = []
  const theirs: Cost[] = []
  const listing: Cost[] = []
  for (let round = 0; round <= rounds; round++) {
    const costs = [
      timed(() => countAllowed(checks, (request) => allows(enforcer, request))),
      timed(() => countAllowed(casbinChecks, casbin)),
      timed(() => listApplications(policy)),
    ] as const
    // The first time warms up.
    if (round === 0) continue
    ours.push(costs[0])
    theirs.push(costs[1])
    listing.push(costs[2])
  }
  const [own, other, listed] = [median(ours), median(theirs), median(listing)]
  const [rate, casbinRate] = [checks / own.wall, casbinChecks / other.wall]
  const basis = `median of ${rounds}: ${Math.round(rate)} checks/s; casbin: ${Math.round(casbinRate)} checks/s`
  return [
    atMost('policy of 650 rules, one check', 1_000_000 / rate, 'µs', checkBar, basis),
    information('policy of 650 rules, checks a second', rate / casbinRate, '× casbin', basis),
    atMost(
      `policy of 650 rules, ${listedApplications} applications filtered`,
      listed.wall,
      's',
      listingBar,
      `median of ${rounds}, rules compiled: ${costText(listed)}`,
    ),
  ]
}

/** 600 rules of roles for projects, of which the user has one, and 50 of the user alone, denies among them. */
function policyLines(): string[] {
  const roles = Array.from({ length: projects }, (_, project) => [
    ...actions.map((action) => `p, role:p${project}, applications, ${action}, p${project}/*, allow`),
    `p, role:p${project}, applications, delete, */*-prod, deny`,
    `g, team-${project}, role:p${project}`,
  ])
  const own = Array.from({ length: 50 }, (_, index) => {
    const effect = index % 10 === 9 ? 'deny' : 'allow'
    return `p, ${user}, applications, ${index % 2 === 0 ? '*' : 'get'}, p${index}/*-${index % 5}*, ${effect}`
  })
  return [...roles.flat(), ...own, `g, ${user}, role:p7`]
}

function enforcerOf(policy: string): Enforcer {
  return new Enforcer(readPolicyConfig({ 'policy.csv': policy }), [])
}

async function casbinOf(policy: string): Promise<(request: Request) => boolean> {
  const casbin = await newEnforcer(newModelFromString(model), new StringAdapter(policy))
  const patterns = new Map<string, RegExp>()
  const compiled = (glob: string): RegExp => {
    const known = patterns.get(glob)
    if (known) return known
    const parts = glob.split('*').map((part) => RegExp.escape(part))
    const pattern = new RegExp(`^${parts.join('.*')}$`, 's')
    patterns.set(glob, pattern)
    return pattern
  }
  await casbin.addFunction('globMatch', (text: string, glob: string) => compiled(glob).test(text))
  return ({ action, object }) => casbin.enforceSync(user, 'applications', action, object)
}

function allows(enforcer: Enforcer, { action, object }: Request): boolean {
  return enforcer.allows({ sub: user, groups: [] }, 'applications', action, object)
}

/** @throws Error when the engines answer differently, or the same to everything */
function compareVerdicts(enforcer: Enforcer, casbin: (request: Request) => boolean): void {
  const allowed = countAllowed(comparedChecks, (request) => {
    const answer = allows(enforcer, request)
    if (answer !== casbin(request)) throw new Error(`casbin differs about ${JSON.stringify(request)}`)
    return answer
  })
  if (allowed === 0 || allowed === comparedChecks) throw new Error(`${allowed} requests were allowed`)
}

/** Asks for objects that differ each time, in all projects, with and without a right. */
function countAllowed(count: number, ask: (request: Request) => boolean): number {
  let allowed = 0
  for (let index = 0; index < count; index++) {
    const action = ['get', 'sync', 'delete'][index % 3] ?? 'get'
    if (ask({ action, object: `p${(index * 7) % (projects + 5)}/web-${index}` })) allowed++
  }
  return allowed
}

function listApplications(policy: string): void {
  const enforcer = enforcerOf(policy)
  let seen = 0
  for (let index = 0; index < listedApplications; index++) {
    if (allows(enforcer, { action: 'get', object: `p${index % projects}/web-${index}` })) seen++
  }
  if (seen === 0 || seen === listedApplications) throw new Error(`${seen} applications were listed`)
}

function timed(work: () => unknown): Cost {
  const before = process.cpuUsage()
  const started = performance.now()
  work()
  const { user: own, system } = process.cpuUsage(before)
  return { wall: (performance.now() - started) / 1000, cpu: (own + system) / 1_000_000 }
}
