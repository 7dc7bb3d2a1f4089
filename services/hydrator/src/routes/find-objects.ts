import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { FindObjectsRequest } from '@wadi/protocol/gen/wadi/hydrator/v1/hydrator_pb.ts'
import type { ObjectSearch } from '../run/reuse/object-search.ts'

const maxBranches = 2_000
const maxLimit = 50

/** Finds objects of hydrated branches by their names. */
export function findObjects(search: ObjectSearch) {
  return async ({ text, limit, branches }: FindObjectsRequest) => {
    if (branches.length > maxBranches) {
      throw new InvalidInputError(`${branches.length} branches are more than ${maxBranches}`)
    }
    if (limit < 1 || limit > maxLimit) {
      throw new InvalidInputError(`limit must be 1 to ${maxLimit}, not ${limit}`)
    }
    return search.find(text.toLowerCase(), branches, limit)
  }
}
