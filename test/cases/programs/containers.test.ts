import { containers } from '../../../src/programs/containers.ts';
import { imageTools, virtualMachines } from '../../../src/programs/virtual-machines.ts';
import { type Row, runTable } from './run-model.ts';

const DOCKER: readonly Row[] = [
  ['docker ps --format x', []],
  ['docker run --rm -i hadolint/hadolint', []],
  ['docker run --rm -it --name x -e A=b -p 80:80 node:20 npm test', ['run@container: npm test']],
  [
    'docker run --rm -v "$PWD:/app" -w /app node:20 npm test',
    ['write ${PWD} -r some ?', 'run@container ${PWD}=>/app: npm test'],
  ],
  ['docker run -v data:/var/lib/x -v /app/node_modules alpine ls', ['run@container: ls']],
  [
    'docker run --rm -v /:/host alpine rm -rf /host/home/dev',
    ['write / -r some ?', 'container-host mount of /', 'run@container /=>/host: rm -rf /host/home/dev'],
  ],
  [
    'docker run -v /home/dev/.aws:/root/.aws:ro amazon/aws-cli s3 ls',
    ['read /home/dev/.aws -r ?', 'run@container /home/dev/.aws=>/root/.aws: aws s3 ls'],
  ],
  [
    'docker run --mount type=bind,src=/etc,dst=/e,readonly alpine cat /e/shadow',
    ['read /etc -r ?', 'run@container /etc=>/e: cat /e/shadow'],
  ],
  ['docker run --mount type=volume,src=db,dst=/d alpine ls', ['run@container: ls']],
  [
    'docker run -v /var/run/docker.sock:/var/run/docker.sock docker:cli ps',
    [
      'read /var/run/docker.sock -r ?',
      'container-host mount of /var/run/docker.sock',
      'run@container /var/run/docker.sock=>/var/run/docker.sock: ps',
    ],
  ],
  [
    "docker run --rm --privileged --pid=host alpine nsenter -t 1 -m sh -c 'id'",
    ['container-host --privileged', 'container-host --pid=host', 'run@container root: nsenter -t 1 -m sh -c id'],
  ],
  ['docker run --entrypoint sh alpine -c id', ['run@container: sh -c id']],
  ['docker run --cap-add=SYS_ADMIN alpine', ['container-host --cap-add SYS_ADMIN']],
  ["docker exec -it db psql -c 'DROP TABLE x'", ['run@container: psql -c DROP TABLE x']],
  ['docker container exec db ls', ['run@container: ls']],
  ['docker rm -f web', []],
  ['docker rm -f "$ids"', ['infra-destroy ${ids} -f']],
  ['docker rm -fv web', ['infra-destroy web -f']],
  ['docker volume rm supabase_db_app', ['infra-destroy supabase_db_app']],
  ['docker volume rm "$v"', ['infra-destroy ${v}']],
  ['docker volume ls', []],
  ['docker system prune -af --volumes', ['infra-destroy unused objects -f']],
  ['podman volume prune -f', ['infra-destroy unused volumes -f']],
  ['podman image prune -a -f', []],
  ['docker rmi app:test', []],
  ['docker push acme/app:1', ['publish acme/app:1']],
  ['docker build --build-arg A=b -t app:test -f Dockerfile .', []],
  ['docker buildx build --platform linux/amd64 --output type=local,dest=./out .', ['write ./out -r']],
  ['docker buildx build --push -t acme/app .', ['publish acme/app']],
  ['docker login -u x ghcr.io', ['write /home/dev/.docker/config.json']],
  ['docker cp web:/etc/hosts /home/dev/hosts', ['write /home/dev/hosts -r']],
  ['docker save -o img.tar app', ['write img.tar']],
  ['docker stack rm prod', ['infra-destroy prod']],
  ['docker -H ssh://root@host ps', ['to ssh://root@host nothing']],
  ['docker compose down --remove-orphans', []],
  ['docker compose down -v', ['infra-destroy the project']],
  ['docker compose -f compose.yml -p app down --volumes --rmi all', ['infra-destroy app']],
  ['docker-compose -p app down -v', ['infra-destroy app']],
  ['docker compose --env-file .env -f c.yml config --services', []],
  ['docker compose up -d --build', []],
  ['docker compose exec -T db dropdb app', ['run@container: dropdb app']],
  ['docker compose run --rm web rails db:drop', ['run@container: rails db:drop']],
  ['docker compose push', ['publish the project']],
  [
    'ctr run --rm --mount type=bind,src=/,dst=/h,options=rbind:rw -t docker.io/library/alpine:latest x rm -rf /h/home',
    ['write / -r some ?', 'container-host mount of /', 'run@container /=>/h: rm -rf /h/home'],
  ],
  ['podman unshare rm -rf x', ['run: rm -rf x']],
];

const MACHINES: readonly Row[] = [
  ['kind delete cluster', ['infra-destroy cluster']],
  ['kind get clusters', []],
  ['minikube ssh -- rm -rf /data', ['run@container: rm -rf /data']],
  ['limactl shell default rm -rf x', ['run: rm -rf x']],
  ["vagrant ssh -c 'rm -rf /srv'", ['sh@container /home/dev/project=>/vagrant: rm -rf /srv']],
  ['vagrant destroy -f', ['infra-destroy']],
  ['lxc exec c1 -- rm -rf /srv', ['run@container: rm -rf /srv']],
  ['devcontainer exec --workspace-folder . npm test', ['run@container: npm test']],
  ['wsl rm -rf /mnt/c', ['run: rm -rf /mnt/c']],
  ['skopeo copy docker://a docker://b/c', ['publish docker://b/c']],
  ['skopeo inspect docker://a', []],
  ['crane delete b/c', ['unpublish b/c']],
];

runTable('container engines', containers, DOCKER);
runTable('machines and images', [...virtualMachines, ...imageTools], MACHINES);
