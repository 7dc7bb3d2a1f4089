import { Stack, Text } from '@mantine/core'
import type { PreviewParametersResponse } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { ObjectChanges } from '../../../components/object-changes.tsx'
import { TextDiff } from '../../../components/text-diff.tsx'
import { Warnings } from '../../../components/warnings.tsx'
import { t } from '../../../language/t.ts'

/** Shows the effect of a save: on the files, and by that on the manifests. */
export function Effect({
  preview: { file, otherFiles, objects, error, warnings },
}: {
  preview: PreviewParametersResponse
}) {
  const problems = file?.problems.filter((problem) => problem !== error) ?? []
  return (
    <>
      {[...(file ? [file] : []), ...otherFiles].map(({ path, before, after }) => (
        <Stack key={path} gap={4}>
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {t('Writes {file}', { file: path })}
          </Text>
          <TextDiff
            before={before}
            after={after}
            labels={[t('{name} now', { name: path }), t('{name} then', { name: path })]}
          />
        </Stack>
      ))}
      <Warnings title={t('The values are invalid')} texts={problems} />
      {error === '' ? (
        <Text size="sm" fw={600}>
          {objects.length === 0
            ? t('The manifests stay as they are.')
            : t('{count, plural, one {Changes # object:} other {Changes # objects:}}', {
                count: objects.length,
              })}
        </Text>
      ) : (
        <Warnings title={t('The source cannot be rendered with these values')} texts={[error]} />
      )}
      <ObjectChanges objects={objects} />
      <Warnings title={t('Warnings')} texts={[...(file?.warnings ?? []), ...warnings]} />
    </>
  )
}
