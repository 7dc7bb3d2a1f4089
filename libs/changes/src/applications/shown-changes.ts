import { create } from '@bufbuild/protobuf'
import {
  type ApplicationChanges,
  ApplicationChangesSchema,
  type ObjectChange,
  ObjectChangeSchema,
  type ObjectPlace,
} from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'

/**
 * Leaves out Applications that readers may not see, also where others name them: an object that one of them had is created for its
 * readers, and one that one of them has now is removed.
 */
export function shownChanges(
  applications: readonly ApplicationChanges[],
  isShown: (application: Pick<ObjectPlace, 'namespace' | 'name'>) => boolean,
): ApplicationChanges[] {
  const isHidden = (place: ObjectPlace | undefined): boolean => place !== undefined && !isShown(place)
  const shownObject = (object: ObjectChange): ObjectChange => {
    const { movedFrom, movedTo } = object
    if (isHidden(movedFrom))
      return create(ObjectChangeSchema, { ...object, change: 'created', before: '', movedFrom: undefined })
    return isHidden(movedTo) ? create(ObjectChangeSchema, { ...object, movedTo: undefined }) : object
  }
  return applications.filter(isShown).map((application) =>
    create(ApplicationChangesSchema, {
      ...application,
      objects: application.objects.map(shownObject),
    }),
  )
}
