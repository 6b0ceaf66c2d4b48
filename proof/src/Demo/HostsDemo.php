<?php

declare(strict_types=1);

namespace Larder\Proof\Demo;

use Closure;
use Larder\Dependency\RecordingPdo;
use Larder\Page\Pages;
use Larder\Proof\Pages\HostedSite;
use Larder\Proof\Pages\HotItems;
use Larder\Proof\Pages\PagesRun;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\Site\DeployedSite;
use Symfony\Component\Console\Helper\Table;
use Symfony\Component\Console\Output\OutputInterface;

/**
 * The example site on several hosts: one edit step by step, then many of them on the first host, while readers check
 * the pages of all hosts.
 *
 * @phpstan-type Step array{host: int, what: string, status: string, title: string}
 */
final readonly class HostsDemo
{
    private const MEMCACHED = 2;

    /** An item with a text of ordinary length. */
    private const ITEM = 4;
    private const PAGE = '/news/' . self::ITEM;

    private const EDITED = 'Edited on host 1';
    private const MISS = 'larder; fwd=miss; stored';
    private const HIT = 'larder; hit';

    private HostedSite $site;

    /**
     * @param string                $root        the site's directory
     * @param string                $directory   for everything that the servers write; exists
     * @param Database              $database    with the site's items; stop() stops it
     * @param int<2, max>           $hosts
     * @param array<string, string> $environment further variables of the site
     * @param array<string, string> $startup     php.ini values of php-fpm's masters
     */
    public function __construct(
        string $root,
        string $directory,
        Database $database,
        int $hosts,
        array $environment = [],
        array $startup = [],
    ) {
        HotItems::install($database->connect());
        $this->site = HostedSite::start(
            $root,
            $directory,
            $database,
            $hosts,
            self::MEMCACHED,
            // So that the next request finds the page stored.
            environment: $environment + ['APP_ANSWERS_FIRST' => 'off'],
            startup: $startup,
        );
    }

    public function stop(): void
    {
        $this->site->stop();
    }

    /**
     * @param Closure(string): void $progress called once a second
     *
     * @return array<string, mixed> by figure; `clean`: whether no page was stale
     */
    public function run(float $seconds, Closure $progress, OutputInterface $output): array
    {
        $steps = $this->oneEdit();
        $run = new PagesRun($this->site->hosts, $progress, withKills: false, writing: 1);
        $edits = $run->run($seconds);
        HotItems::remove($this->connection());
        $count = $edits->count(...);
        $result = [
            'hosts' => \count($this->site->hosts),
            'steps' => $steps,
            'changes' => $count('changes'),
            'gets_checked' => $count('reads'),
            'hits' => $count('hits'),
            'stale' => $count('stale'),
            'wrong' => $count('wrong'),
            'clean' => $edits->clean && self::areExpected($steps),
        ];
        $this->report($steps, $output);
        $output->writeln(\sprintf(
            'edits on host 1: %d changes, %d GETs checked on all hosts, %d hits, %d stale',
            $result['changes'],
            $result['gets_checked'],
            $result['hits'],
            $result['stale'],
        ));

        return $result;
    }

    /** Says where to look, and returns when no server runs any more. */
    public function stay(OutputInterface $output): void
    {
        $output->writeln("\nThe site runs until you press Ctrl-C:");
        foreach ($this->site->hosts as $index => $host) {
            $output->writeln(\sprintf('  host %d  %s', $index + 1, $host->running->url . self::PAGE));
        }
        $addresses = array_map(
            static fn(Memcached $server): string => '127.0.0.1:' . $server->endpoint()->port,
            $this->site->memcached,
        );
        $output->writeln('  pages   memcached at ' . implode(' and ', $addresses));
        $output->writeln(<<<'WORDS'

            Write a comment on one host and load the page on the other: its corner says when it was made, and from what.
            `curl -sI ADDRESS` shows Cache-Status: "larder; hit" is an answer of nginx, without PHP.
            WORDS);
        while (array_filter($this->site->hosts, static fn(DeployedSite $host): bool => $host->running->pids() !== [])) {
            usleep(200_000);
        }
    }

    /** @return list<Step> */
    private function oneEdit(): array
    {
        $last = \count($this->site->hosts);
        $database = $this->connection();
        $read = $database->prepare('SELECT title FROM news WHERE id = ?');
        $read->execute([self::ITEM]);
        $title = $read->fetchColumn();
        $steps = [$this->get(1, 'made'), $this->get($last, 'out of memcached')];
        $edit = $database->prepare('UPDATE news SET title = ? WHERE id = ?');
        $edit->execute([self::EDITED, self::ITEM]);
        $steps = [...$steps, $this->get($last, 'made anew'), $this->get(1, 'out of memcached')];
        $edit->execute([$title, self::ITEM]);

        return $steps;
    }

    /** A program's on the first host, which tells nothing of what it changes. */
    private function connection(): RecordingPdo
    {
        $host = $this->site->hosts[0];
        $database = $host->database;
        $connection = new RecordingPdo($database->dsn, user: $database->user, password: $database->password);

        return Pages::of($host->site)->follow($connection);
    }

    /** @return Step */
    private function get(int $host, string $what): array
    {
        $connection = new Connection('127.0.0.1:' . $this->site->hosts[$host - 1]->running->port);
        $answer = $connection->request(self::PAGE);
        $found = preg_match('~<h1[^>]*>\s*(.*?)\s*</h1>~s', $answer->body ?? '', $heading);

        return [
            'host' => $host,
            'what' => $what,
            'status' => $answer?->header('Cache-Status') ?? 'no answer',
            'title' => $found === 1 ? html_entity_decode(strip_tags($heading[1])) : '',
        ];
    }

    /** @param list<Step> $steps */
    private static function areExpected(array $steps): bool
    {
        return array_column($steps, 'status') === [self::MISS, self::HIT, self::MISS, self::HIT]
            && $steps[1]['title'] !== self::EDITED
            && [$steps[2]['title'], $steps[3]['title']] === [self::EDITED, self::EDITED];
    }

    /** @param list<Step> $steps */
    private function report(array $steps, OutputInterface $output): void
    {
        $output->writeln(\sprintf(
            "\n%d hosts, each with an nginx and a php-fpm; pages in %d memcached servers. %s, edited on host 1:\n",
            \count($this->site->hosts),
            \count($this->site->memcached),
            self::PAGE,
        ));
        $table = new Table($output);
        $table->setHeaders(['asked of', 'title', 'Cache-Status', '']);
        foreach ($steps as ['host' => $host, 'what' => $what, 'status' => $status, 'title' => $title]) {
            $table->addRow(["host $host", mb_strimwidth($title, 0, 40, '…'), $status, $what]);
        }
        $table->render();
    }
}
