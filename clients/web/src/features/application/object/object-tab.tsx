import { Stack, Title } from '@mantine/core'
import { objectAt } from '@wadi/fields/json-fields.ts'
import { emitManifests } from '@wadi/manifests/emit-manifests.ts'
import type { GetApplicationResponse } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { YamlText } from '../../../components/yaml-text.tsx'
import { objectText } from '../../../words/object-text.ts'
import { useRight } from '../../../server/rights.ts'
import type { ApplicationName } from '../application-name.ts'
import type { ApplicationState } from '../application-state.ts'
import { ApplicationEditor } from './application-editor.tsx'
import { editedApplication } from '../../../words/edited-application.ts'
import { t } from '../../../language/t.ts'

interface ObjectTabProps {
  name: ApplicationName
  state: ApplicationState
  answer: GetApplicationResponse
}

/** The Application as YAML, to edit for who may change it, and its status. */
export function ObjectTab({ name, state, answer: { application = {} } }: ObjectTabProps) {
  const mayEdit = useRight('applications', 'update', `${state.project}/${name.name}`)
  const status = objectAt(application, 'status')
  return (
    <Stack>
      {mayEdit ? (
        <ApplicationEditor stored={application} />
      ) : (
        <YamlText text={objectText(editedApplication(application))} label={t('Application')} />
      )}
      {Object.keys(status).length > 0 && (
        <>
          <Title order={2} size="h4">
            {t('Status')}
          </Title>
          <YamlText text={emitManifests([status])} label={t('Status')} />
        </>
      )}
    </Stack>
  )
}
