import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { compileArgoGlob } from '@wadi/patterns/argo-glob.ts'
import { compileMatcher } from '@wadi/patterns/automaton.ts'
import { parseDoubleStar } from '@wadi/patterns/double-star.ts'
import { parseGoFileMatch } from '@wadi/patterns/go-file-match.ts'
import { compileGoRegex } from '@wadi/patterns/go-regex.ts'
import { parseZglob } from '@wadi/patterns/zglob.ts'
import { Enforcer } from '@wadi/rbac/decide/enforcer.ts'
import { readPolicyConfig } from '@wadi/rbac/policy/read-policy-config.ts'
import { parseLabelSelector } from '@wadi/resources/label-selector.ts'
import { type Target, textBase } from '../target.ts'

const policy = `# people
p, role:deployer, applications, sync, shop/*, allow
p, role:deployer, applications, action/apps/Deployment/restart, "shop/{a,b}-[0-9]*", allow
p, "user, one", repositories, *, https://git.example.com/*, deny
g, team:shop, role:deployer
g, ada, role:admin
`

const globs = ['https://git.example.com/[a-z]*/{one,two}?.git', '**/prod-*', '!{a,{b,c}}', '[!x]\\*[a\\]b]']
const regexes = [
  '^(?i)web-[[:alpha:]]+(x|y){1,3}?$',
  '(?P<name>a*)*\\bend\\pL[^\\d]',
  'a{2,900}|.*b',
  '(?i)^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
  '^(a|b){1,3}\\\\d+\\\\.x$',
]
const selectors = ['env in (prod, dev),tier!=web,!legacy,team', 'a=b,c==d', 'x notin (y)']
const texts = ['', 'https://git.example.com/a/one1.git', `${'a'.repeat(200)}!`, 'web-abcXX']

/** Readers of rights and patterns; what they make of them is used at once. */
export const policyTargets: readonly Target[] = [
  {
    name: 'policies',
    bases: [textBase('policy.csv', policy)],
    read(input) {
      const config = readPolicyConfig({ 'policy.csv': input.toString(), 'policy.default': 'role:readonly' })
      new Enforcer(config, []).allows(
        { sub: 'ada', groups: ['team:shop'] },
        'applications',
        'sync',
        'shop/a-1',
      )
    },
  },
  {
    name: 'globs',
    bases: globs.map((glob) => textBase(glob, glob)),
    read(input) {
      const matches = compileArgoGlob(input.toString())
      for (const text of texts) matches(text)
    },
  },
  {
    name: 'project-globs',
    bases: globs.map((glob) => textBase(glob, glob)),
    read(input) {
      const matches = compileArgoGlob(input.toString(), '/')
      for (const text of texts) matches(text)
    },
  },
  {
    name: 'path-patterns',
    bases: globs.map((glob) => textBase(glob, glob)),
    read(input) {
      const pattern = input.toString()
      const dialects = [
        () => parseGoFileMatch(pattern, 'any'),
        () => parseDoubleStar(pattern),
        () => parseZglob(pattern),
      ]
      for (const parse of dialects) {
        try {
          const matches = compileMatcher(parse())
          for (const text of texts) matches(text)
        } catch (error) {
          if (!(error instanceof InvalidInputError)) throw error
        }
      }
    },
  },
  {
    name: 'regexes',
    bases: regexes.map((regex) => textBase(regex, regex)),
    read(input) {
      const matches = compileGoRegex(input.toString())
      for (const text of texts) matches(text)
    },
  },
  {
    name: 'label-selectors',
    bases: selectors.map((selector) => textBase(selector, selector)),
    read: (input) => parseLabelSelector(input.toString())({ env: 'prod', tier: 'db' }),
  },
]
