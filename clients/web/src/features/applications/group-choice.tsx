import { Select } from '@mantine/core'

const fields = [
  { value: 'project', label: 'Project' },
  { value: 'repository', label: 'Repository' },
  { value: 'branch', label: 'Branch' },
  { value: 'cluster', label: 'Cluster' },
  { value: 'destination_namespace', label: 'Namespace' },
  { value: 'application_set', label: 'ApplicationSet' },
  { value: 'findings', label: 'Findings' },
  { value: 'renderer', label: 'Renderer' },
  { value: 'tool', label: 'Tool version' },
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
  const data = items.length > 0 ? [...fields, { group: 'Labels', items }] : fields
  return (
    <Select
      aria-label="Group by"
      placeholder="Group by"
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
