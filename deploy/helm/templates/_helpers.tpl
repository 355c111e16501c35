{{- define "embedgate.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 53 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 53 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "embedgate.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "embedgate.labels" -}}
{{ include "embedgate.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "embedgate.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "embedgate.secretName" -}}
{{ .Values.secrets.existing | default (include "embedgate.name" .) }}
{{- end }}

{{- define "embedgate.publicUrl" -}}
{{- if .Values.publicUrl }}{{ .Values.publicUrl }}{{ else if .Values.ingress.enabled }}{{ ternary "https" "http" (gt (len .Values.ingress.tls) 0) }}://{{ first .Values.ingress.hosts }}{{ end }}
{{- end }}

{{- define "embedgate.serviceAccountName" -}}
{{ .Values.serviceAccount.name | default (ternary (include "embedgate.name" .) "default" .Values.serviceAccount.create) }}
{{- end }}

{{- /* What every container of the image has: its settings, secrets and rights. */}}
{{- define "embedgate.container" -}}
image: {{ include "embedgate.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
envFrom:
  - secretRef:
      name: {{ include "embedgate.secretName" . }}
{{- /* Until every node knows that a pod is going, requests still come to it. */}}
{{- $env := dict "DRAIN_SECONDS" "5" }}
{{- with include "embedgate.publicUrl" . }}{{ $_ := set $env "PUBLIC_URL" . }}{{ end }}
{{- with .Values.trustedProxies }}{{ $_ := set $env "TRUSTED_PROXIES" . }}{{ end }}
{{- $given := deepCopy .Values.env }}
{{- if and .Values.config .isMigration }}
{{- /* A migration runs before the settings file changes, so it has none, and knows none of its tiers. */}}
{{- $given = omit $given "DEFAULT_TIER" }}
{{- else if .Values.config }}{{ $_ := set $env "EMBEDGATE_CONFIG" "/etc/embedgate/config.yaml" }}{{ end }}
env:
  {{- range $name, $value := merge $given $env }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
  {{- with .Values.extraEnv }}{{ toYaml . | nindent 2 }}{{ end }}
{{- with .Values.securityContext }}
securityContext: {{ toYaml . | nindent 2 }}
{{- end }}
volumeMounts:
  - name: data
    mountPath: /data
  - name: tmp
    mountPath: /tmp
  {{- if and .Values.config (not .isMigration) }}
  - name: config
    mountPath: /etc/embedgate
    readOnly: true
  {{- end }}
  {{- with .Values.extraVolumeMounts }}{{ toYaml . | nindent 2 }}{{ end }}
{{- end }}

{{- define "embedgate.pod" -}}
automountServiceAccountToken: false
{{- if not .isMigration }}
serviceAccountName: {{ include "embedgate.serviceAccountName" . }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
# A Service of the release would otherwise put variables of its own beside the settings.
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.podSecurityContext }}
securityContext: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}
