import { create } from '@bufbuild/protobuf'
import {
  type ApplicationChanges,
  ApplicationChangesSchema,
  type ObjectChange,
} from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'

/** Characters of one message, far below every limit on messages. */
const portionLength = 1024 * 1024

/** Cuts an Application into messages of bounded size; the first has everything but objects that do not fit. */
export function* portionsOf(application: ApplicationChanges): Generator<ApplicationChanges> {
  const { namespace, name } = application
  let portion = create(ApplicationChangesSchema, { ...application, objects: [] })
  let length = 0
  for (const object of application.objects) {
    const own = lengthOf(object)
    if (portion.objects.length > 0 && length + own > portionLength) {
      yield portion
      portion = create(ApplicationChangesSchema, { namespace, name })
      length = 0
    }
    portion.objects.push(object)
    length += own
  }
  yield portion
}

/** Adds a message to the Applications that came before it. */
export function addPortion(applications: ApplicationChanges[], portion: ApplicationChanges): void {
  const last = applications.at(-1)
  if (last?.namespace === portion.namespace && last.name === portion.name)
    last.objects.push(...portion.objects)
  else applications.push(portion)
}

function lengthOf({ before, after, identity, file }: ObjectChange): number {
  return before.length + after.length + file.length + (identity?.name.length ?? 0) + 200
}
