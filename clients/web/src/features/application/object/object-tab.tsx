import { Stack, Title } from '@mantine/core'
import type { JsonObject } from '@bufbuild/protobuf'
import { objectAt } from '@wadi/fields/json-fields.ts'
import { emitManifests } from '@wadi/manifests/emit-manifests.ts'
import { YamlText } from '../../../components/yaml-text.tsx'
import { objectText } from '../../../words/object-text.ts'
import { useRight } from '../../../server/rights.ts'
import type { ApplicationName } from '../application-name.ts'
import { ApplicationEditor } from './application-editor.tsx'
import { editedApplication } from '../../../words/edited-application.ts'

interface ObjectTabProps {
  name: ApplicationName
  project: string
  application: JsonObject
}

/** The Application as YAML, to edit for who may change it, and its status. */
export function ObjectTab({ name, project, application }: ObjectTabProps) {
  const mayEdit = useRight('applications', 'update', `${project}/${name.name}`)
  const status = objectAt(application, 'status')
  return (
    <Stack>
      {mayEdit ? (
        <ApplicationEditor stored={application} />
      ) : (
        <YamlText text={objectText(editedApplication(application))} label="Application" />
      )}
      {Object.keys(status).length > 0 && (
        <>
          <Title order={2} size="h4">
            Status
          </Title>
          <YamlText text={emitManifests([status])} label="Status" />
        </>
      )}
    </Stack>
  )
}
