import { Select } from '@mantine/core'
import { t } from '../../language/t.ts'

const fields = [
  { value: 'project', label: t('Project') },
  { value: 'repository', label: t('Repository') },
  { value: 'branch', label: t('Branch') },
  { value: 'cluster', label: t('Cluster') },
  { value: 'destination_namespace', label: t('Namespace') },
  { value: 'application_set', label: t('ApplicationSet') },
  { value: 'findings', label: t('Findings') },
  { value: 'renderer', label: t('Renderer') },
  { value: 'tool', label: t('Tool version') },
]

interface GroupChoiceProps {
  /** The labels of Applications, `key=value`. */
  labels: readonly string[]
  chosen: string | undefined
  choose: (group: string | undefined) => void
}

/** Groups the list by what Applications have in common. */
export function GroupChoice({ labels, chosen, choose }: GroupChoiceProps) {
  const keys = new Set(labels.map((label) => label.split('=', 1).join()))
  const chosenKey = chosen?.startsWith('label:') ? chosen.slice('label:'.length) : undefined
  if (chosenKey !== undefined) keys.add(chosenKey)
  const items = [...keys].map((key) => ({ value: `label:${key}`, label: key }))
  const data = items.length > 0 ? [...fields, { group: t('Labels'), items }] : fields
  return (
    <Select
      aria-label={t('Group by')}
      placeholder={t('Group by')}
      data={data}
      value={chosen ?? null}
      onChange={(value) => choose(value ?? undefined)}
      searchable
      clearable
      flex="1 1 150px"
      maw={{ xs: 220 }}
    />
  )
}
