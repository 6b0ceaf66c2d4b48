<?php

declare(strict_types=1);

namespace Larder\Proof\Contention;

use Larder\Testbed\Server\DatabaseKind;

/** An isolation level, and what a session does to have it. */
final readonly class Level
{
    /** @param list<string> $statements */
    private function __construct(
        private string $name,
        public array $statements,
    ) {}

    /** Letters and _. */
    public function name(): string
    {
        return $this->name;
    }

    /** @return list<self> */
    public static function of(DatabaseKind $kind): array
    {
        $levels = [];
        foreach (['READ COMMITTED', 'REPEATABLE READ'] as $isolation) {
            $name = strtolower(strtr($isolation, ' ', '_'));
            if ($kind === DatabaseKind::PostgreSql) {
                $levels[] = new self($name, ["SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL $isolation"]);

                continue;
            }
            foreach (['OFF' => '', 'ON' => '_checked'] as $checked => $suffix) {
                $levels[] = new self($name . $suffix, [
                    "SET SESSION TRANSACTION ISOLATION LEVEL $isolation",
                    "SET SESSION innodb_snapshot_isolation = $checked",
                ]);
            }
        }

        return $levels;
    }
}
