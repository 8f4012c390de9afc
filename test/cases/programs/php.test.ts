import { phpPrograms } from '../../../src/programs/php.ts';
import { type Row, runTable } from './run-model.ts';

const PHP_PROGRAMS: readonly Row[] = [
  ["php -r 'echo 1;'", []],
  ['php -v', []],
  ['php -i', ['secret-read environment']],
  ['php -S 0.0.0.0:8000', ['listen 0.0.0.0:8000']],
  ['php -l a.php', ['read a.php']],
  ['php artisan migrate:fresh --force', ['exec artisan', 'db-drop database -f']],
  ['php artisan migrate', ['exec artisan', 'db-write database']],
  ['php artisan migrate:fresh --pretend', ['exec artisan']],
  ['php artisan route:list', ['exec artisan']],
  ['php artisan migrate:fresh', ['exec artisan'], { env: { APP_ENV: 'testing' } }],
  ['php artisan tinker --execute=\'unlink("/home/dev/x");\'', ['exec artisan', 'delete /home/dev/x ?']],
  ['php bin/console doctrine:database:drop --force', ['exec bin/console', 'db-drop database -f']],
  ['php bin/console cache:clear', ['exec bin/console']],
  ['composer install', ['install dependencies of the project']],
  [
    'composer install',
    ['install dependencies of the project', 'sh: rm y', 'sh: rm x'],
    { files: { 'composer.json': '{"scripts":{"post-install-cmd":["@clean","rm x"],"clean":"rm y"}}' } },
  ],
  ['composer require a/b', ['install a/b']],
  ['composer global require a/b', ['install-global a/b']],
  ['composer exec phpunit', ['run: phpunit']],
  ['composer clean', ['sh: rm y'], { files: { 'composer.json': '{"scripts":{"clean":"rm y"}}' } }],
  ['wp db reset --yes', ['db-drop database']],
  ['wp eval \'unlink("/home/dev/x");\'', ['delete /home/dev/x ?']],
  ['phpunit --filter X', []],
  ['php-cs-fixer fix src', ['write src -r some']],
  ['php-cs-fixer fix --dry-run src', ['read src -r']],
];

runTable('php', phpPrograms, PHP_PROGRAMS);
