{{- define "quittance.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "quittance.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "quittance.labels" -}}
{{ include "quittance.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "quittance.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- define "quittance.secret" -}}
{{- if .Values.existingSecret -}}
{{ .Values.existingSecret }}
{{- else if and .Values.secret.databaseUrl .Values.secret.encryptionKeys -}}
{{ include "quittance.fullname" . }}
{{- else -}}
{{- fail "Set existingSecret, or secret.databaseUrl and secret.encryptionKeys." -}}
{{- end -}}
{{- end -}}

{{- define "quittance.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{ .Values.serviceAccount.name | default (include "quittance.fullname" .) }}
{{- else -}}
{{ .Values.serviceAccount.name | default "default" }}
{{- end -}}
{{- end -}}

{{- define "quittance.simulatorUrl" -}}
{{- if .Values.simulator.enabled -}}
http://{{ include "quittance.fullname" . }}-simulator:8090
{{- else -}}
{{ required "Set simulator.url, or simulator.enabled: api and worker share one." .Values.simulator.url }}
{{- end -}}
{{- end -}}

{{- define "quittance.settings" -}}
- name: DATABASE_URL_FILE
  value: /run/quittance/database-url
- name: ENCRYPTION_KEYS_FILE
  value: /run/quittance/encryption-keys
{{- if or .Values.secret.databaseReplicaUrl .Values.secretFiles.databaseReplicaUrl }}
- name: DATABASE_REPLICA_URL_FILE
  value: /run/quittance/database-replica-url
{{- end }}
{{- if or .Values.secret.smtpUrl .Values.secretFiles.smtpUrl }}
- name: SMTP_URL_FILE
  value: /run/quittance/smtp-url
{{- end }}
{{- if or .Values.secret.oidcClientSecret .Values.secretFiles.oidcClientSecret }}
- name: OIDC_CLIENT_SECRET_FILE
  value: /run/quittance/oidc-client-secret
{{- end }}
- name: SIMULATOR_URL
  value: {{ include "quittance.simulatorUrl" . | quote }}
- name: PUBLIC_URL
  value: {{ required "Set publicUrl, such as https://pay.example.com." .Values.publicUrl | quote }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{- define "quittance.volumeMounts" -}}
- { name: secrets, mountPath: /run/quittance, readOnly: true }
- { name: tmp, mountPath: /tmp }
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "quittance.volumes" -}}
- name: secrets
  secret: { secretName: {{ include "quittance.secret" . }}, defaultMode: 0440 }
- name: tmp
  emptyDir: {}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}
