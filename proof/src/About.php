<?php

declare(strict_types=1);

namespace Larder\Proof;

/** What a program says of itself, and what it can be told. */
final readonly class About
{
    /**
     * @param string            $description one sentence for the list of programs
     * @param string            $help        what is done, and what counts as broken
     * @param list<Option>      $options     beside --format
     * @param RequiredExtension $extension   whether the program itself runs in a PHP that has the extension; its
     *     workers may have it all the same
     */
    public function __construct(
        public string $name,
        public string $description,
        public string $help,
        public array $options,
        public RequiredExtension $extension = RequiredExtension::None,
    ) {}
}
