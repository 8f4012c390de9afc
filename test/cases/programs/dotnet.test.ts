import { dotnetPrograms } from '../../../src/programs/dotnet.ts';
import { type Row, runTable } from './run-model.ts';

const DOTNET_PROGRAMS: readonly Row[] = [
  ['dotnet build', []],
  ['dotnet publish -c Release -o out', ['write out -r']],
  ['dotnet nuget push x.nupkg', ['to https://api.nuget.org file', 'publish x.nupkg']],
  ['dotnet nuget delete x 1.0', ['unpublish x']],
  ['dotnet ef database drop --force', ['db-drop database']],
  ['dotnet ef database update', ['db-write database']],
  ['dotnet ef migrations script -o /tmp/m.sql', ['write /tmp/m.sql -r']],
  ['dotnet tool install -g x', ['install-global x']],
  ['dotnet add package x', ['install x']],
  ['dotnet user-secrets list', ['secret-read user secrets']],
  ['dotnet run', []],
  ['dotnet test', []],
  ['dotnet format', ['write . -r some']],
  ['nuget push x.nupkg', ['to https://api.nuget.org file', 'publish x.nupkg']],
];

runTable('dotnet', dotnetPrograms, DOTNET_PROGRAMS);
