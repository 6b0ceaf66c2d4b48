<?php

declare(strict_types=1);

namespace Larder\Bench\Report;

use Larder\Bench\Result\Document;
use Larder\Bench\Result\Role;

/** An answer of the guide, with the figures it rests on. */
final readonly class Advice
{
    /** Subject, rival, question, and what the figures do not say. */
    private const CONTESTS = [
        [
            'phpredis',
            'predis',
            'phpredis or Predis?',
            'Predis is plain PHP and needs no extension; this is what that costs.',
        ],
        ['memcached', 'memcache', 'ext-memcached or pecl-memcache?', null],
        ['memcached', 'phpredis', 'memcached or Redis, by their C clients?', null],
        ['memcached-tuned', 'memcached', 'Is it worth tuning ext-memcached?', null],
        ['memcached-binary', 'memcached', 'The binary protocol of memcached?', null],
        ['memcache-udp', 'memcache', 'UDP to memcached?', null],
        ['phpredis-unix', 'phpredis', 'A unix socket for Redis?', null],
        [
            'apcu',
            'memcached',
            'APCu, where one host is enough?',
            'APCu is shared by the processes of one php-fpm master only.',
        ],
        [
            'file',
            'memcached',
            'When is a file enough?',
            'The files are in the page cache: no disk is in these figures.',
        ],
        ['memcached', 'mariadb', 'Does a cache in front of SQL pay?', null],
        ['mariadb-prepared', 'mariadb', 'Prepared statements?', null],
        ['mariadb-handler', 'mariadb', 'HANDLER instead of SELECT?', null],
        ['handlersocket', 'mariadb', 'HandlerSocket instead of SQL?', null],
        ['handlersocket', 'memcached', 'HandlerSocket instead of a cache?', null],
    ];

    /**
     * @param string       $question as a reader would ask it: "phpredis or Predis?"
     * @param string       $answer   sentences, each with its figures
     * @param list<string> $charts   ids of those it rests on, the most telling first
     */
    public function __construct(
        public string $question,
        public string $answer,
        public array $charts,
    ) {}

    /** @return list<self|string> a question alone where the run cannot answer it */
    public static function questions(Document $document): array
    {
        return [...self::contests($document), ...self::instances($document), ...self::pages($document)];
    }

    /** @return list<self|string> */
    private static function contests(Document $document): array
    {
        $advice = [];
        foreach (self::CONTESTS as [$subject, $with, $question, $remark]) {
            $advice[] = self::contest($document, $subject, $with, $question, $remark);
        }

        return array_values(array_filter($advice, static fn(self|string|null $one): bool => $one !== null));
    }

    private static function contest(
        Document $document,
        string $subject,
        string $with,
        string $question,
        ?string $remark = null,
    ): self|string|null {
        $contest = new Contest($document, $subject, $with);
        $best = $contest->best();
        if ($best === null || !$contest->isAnswered()) {
            return $best === null ? null : $question;
        }
        $answer = implode(' ', array_filter([$contest->sentence(), $contest->cpu(), $remark], is_string(...)));

        return new self($question, $answer, $contest->ids());
    }

    /** @return list<self|string> `phpredis@2` against `phpredis` */
    private static function instances(Document $document): array
    {
        $advice = [];
        foreach ($document->subjects as $sheet) {
            [$base, $count] = explode('@', $sheet->subject . '@');
            if ($count !== '' && $sheet->role === Role::Contender) {
                $advice[] = self::contest(
                    $document,
                    $sheet->subject,
                    $base,
                    \sprintf('%s servers behind %s instead of one?', $count, $base),
                );
            }
        }

        return array_values(array_filter($advice, static fn(self|string|null $one): bool => $one !== null));
    }

    /** @return list<self|string> pages from the store against pages made anew */
    private static function pages(Document $document): array
    {
        $advice = [];
        foreach ($document->subjects as $hit) {
            foreach ($document->subjects as $made) {
                if (
                    preg_match('/page.*-(hit|stored)$/', $hit->subject) === 1
                    && preg_match('/page.*-(uncached|app|site)$/', $made->subject) === 1
                ) {
                    $advice[] = self::contest(
                        $document,
                        $hit->subject,
                        $made->subject,
                        'What does a stored page save?',
                        'It is the share of hits that decides how much of this a site gets.',
                    );
                }
            }
        }

        return array_values(array_filter($advice, static fn(self|string|null $one): bool => $one !== null));
    }
}
