import { goPrograms } from '../../../src/programs/go.ts';
import { type Row, runTable } from './run-model.ts';

const GO_PROGRAMS: readonly Row[] = [
  ['go build ./...', []],
  ['go build -o /home/dev/bin/x .', ['write /home/dev/bin/x']],
  ['go test ./... -run TestX -coverprofile=c.out', ['write c.out']],
  ['go test -exec "rm x" ./...', ['sh: rm x']],
  ['go run ./cmd/x', []],
  ['go run /tmp/x.go', ['exec /tmp/x.go']],
  ['go run example.com/x@latest', ['install example.com/x@latest']],
  ['go vet ./...', []],
  ['go mod tidy', ['install dependencies of the project']],
  ['go get example.com/x', ['install example.com/x']],
  ['go install example.com/x@latest', ['install-global example.com/x@latest']],
  ['go install ./...', ['install-global programs of the project']],
  ['go env -w GOPROXY=x', ['write /home/dev/.config/go/env']],
  ['go env GOPATH', []],
  ['go generate ./...', []],
  ['go tool cover -html=c.out -o c.html', ['write c.html']],
  ['gofmt -w a.go', ['write a.go -r some']],
  ['gofmt -l .', ['read . -r']],
  ['golangci-lint run', []],
  ['goreleaser release', ['publish release']],
  ['goreleaser release --snapshot', []],
  ['buf push', ['publish release']],
];

runTable('go', goPrograms, GO_PROGRAMS);
