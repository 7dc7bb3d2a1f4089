import type { Mutation } from './mutation.ts'

const keeping = 'services/hydrator/src/pull-requests'
const flag = '--promoted'

/** The mutations of what keeps pull requests. */
export const forgeMutations: readonly Mutation[] = [
  {
    name: 'a pull request that is closed is opened again',
    file: `${keeping}/keep-pull-request.ts`,
    from: `const isSame = known !== undefined && isBroughtTo(known, place)`,
    to: `const isSame = false`,
    seed: 17,
    flag,
    found: /is opened, as somebody closed/,
  },
  {
    name: 'a pull request is opened whatever another hydrator recorded',
    file: `${keeping}/recorded-pull-request.ts`,
    from: `this.#isOvertaken = !this.isAsKnown(found)`,
    to: `this.#isOvertaken = false`,
    seed: 89,
    flag,
    found: /is opened, as somebody closed/,
  },
  {
    name: 'a pull request is closed whatever was pushed to it',
    file: `${keeping}/put-pull-request.ts`,
    from: `headSha: place.headSha },
    { signal }`,
    to: `headSha: '' },
    { signal }`,
    seed: 833,
    flag,
    found: /has no open pull request/,
  },
]
