import { create } from '@bufbuild/protobuf'
import {
  type ApplicationChanges,
  ApplicationChangesSchema,
  type ObjectChange,
  ObjectChangeSchema,
  type ObjectPlace,
} from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { qualifiedName } from '../report/report.ts'

/**
 * Leaves out Applications that readers may not see, also where others name them: an object that one of them had is created for its
 * readers, and one that one of them has now is removed.
 */
export function shownChanges(
  applications: readonly ApplicationChanges[],
  isShown: (application: Pick<ObjectPlace, 'namespace' | 'name'>) => boolean,
): ApplicationChanges[] {
  // One that is renamed is known by the name that it has.
  const known = new Map(
    applications.flatMap((one) => (one.renamedFrom ? [[qualifiedName(one), one.renamedFrom]] : [])),
  )
  const isVisible = (place: Pick<ObjectPlace, 'namespace' | 'name'>): boolean =>
    isShown(known.get(qualifiedName(place)) ?? place)
  const isHidden = (place: ObjectPlace | undefined): boolean => place !== undefined && !isVisible(place)
  const shownObject = (object: ObjectChange): ObjectChange => {
    const { movedFrom, movedTo } = object
    if (isHidden(movedFrom))
      return create(ObjectChangeSchema, { ...object, change: 'created', before: '', movedFrom: undefined })
    return isHidden(movedTo) ? create(ObjectChangeSchema, { ...object, movedTo: undefined }) : object
  }
  return applications.filter(isVisible).map((application) =>
    create(ApplicationChangesSchema, {
      ...application,
      objects: application.objects.map(shownObject),
    }),
  )
}
