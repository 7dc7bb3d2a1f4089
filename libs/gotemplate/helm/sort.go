package main

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	release "helm.sh/helm/v4/pkg/release/v1"
	releaseutil "helm.sh/helm/v4/pkg/release/v1/util"
)

// installOrder has the place of each kind that Helm knows.
var installOrder = placesOf(releaseutil.InstallOrder)

func placesOf(kinds releaseutil.KindSortOrder) map[string]int {
	places := make(map[string]int, len(kinds))
	for place, kind := range kinds {
		places[kind] = place
	}
	return places
}

// sortManifests does what Helm's function does, which parses every document: of those without hooks, whose head is written plainly, the
// kind is read alone. Whoever takes the manifests parses them whole.
func sortManifests(files map[string]string) ([]*release.Hook, []releaseutil.Manifest, error) {
	var hooks []*release.Hook
	var manifests []releaseutil.Manifest
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if strings.HasPrefix(path.Base(name), "_") || strings.TrimSpace(files[name]) == "" {
			continue
		}
		for _, document := range split(files[name]) {
			if kind, isPlain := plainKind(document); isPlain {
				head := &releaseutil.SimpleHead{Kind: kind}
				manifests = append(manifests, releaseutil.Manifest{Name: name, Content: document, Head: head})
				continue
			}
			head := map[string]string{name: headOf(document)}
			hooked, others, err := releaseutil.SortManifests(head, nil, releaseutil.InstallOrder)
			if err != nil || strings.HasPrefix(document, separator) {
				return releaseutil.SortManifests(files, nil, releaseutil.InstallOrder)
			}
			for _, hook := range hooked {
				hook.Manifest = document
				hooks = append(hooks, hook)
			}
			for _, manifest := range others {
				manifest.Content = document
				manifests = append(manifests, manifest)
			}
		}
	}
	slices.SortStableFunc(hooks, func(a, b *release.Hook) int { return compareKinds(a.Kind, b.Kind) })
	slices.SortStableFunc(manifests, func(a, b releaseutil.Manifest) int { return compareKinds(a.Head.Kind, b.Head.Kind) })
	return hooks, manifests, nil
}

// compareKinds puts kinds that Helm does not know last, by their names.
func compareKinds(a, b string) int {
	place, isKnown := installOrder[a]
	other, isOtherKnown := installOrder[b]
	switch {
	case isKnown && isOtherKnown:
		return cmp.Compare(place, other)
	case isKnown:
		return -1
	case isOtherKnown:
		return 1
	}
	return strings.Compare(a, b)
}

const separator = "---"
