<?php

declare(strict_types=1);

namespace Larder\Proof;

use Larder\Proof\Code\MissingGuard as GuardOfCode;
use Larder\Proof\Exact\Rule;
use Larder\Proof\Exploration\Broken;
use Larder\Proof\Exploration\BrokenDouble;
use Larder\Proof\Exploration\BrokenServerDouble;
use Larder\Proof\Mutation\Mutant;
use Larder\Proof\Mutation\Renamed;
use Larder\Proof\Pages\MissingGuard as GuardOfPages;
use LogicException;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

/** Lists what the proofs change in the library to see that each guard is needed, and looks whether it still can be. */
#[AsCommand('mutants', 'Lists the classes without a guard that the other programs run with, or checks them')]
final class MutantsCommand extends Command
{
    /** Guards, by the options that leave them out. */
    private const GUARDS = [
        'exact --without=' => Rule::class,
        'explore --double=' => BrokenDouble::class,
        'explore --algorithm=D+ --double=' => BrokenServerDouble::class,
        'pages --hosts=2 --database=mariadb --broken=' => GuardOfPages::class,
        'code --broken=' => GuardOfCode::class,
    ];

    /** @return iterable<string, Mutant> by the program that runs with them */
    public static function all(): iterable
    {
        foreach (self::GUARDS as $proof => $guards) {
            foreach ($guards::cases() as $guard) {
                foreach ($guard->mutants() as $mutant) {
                    yield $proof . ($guard instanceof Broken ? $guard->name : $guard->value) => $mutant;
                }
            }
        }
    }

    /** @return string|null why it is none; null: its places are found, also where all variables have other names */
    public static function complaint(Mutant $mutant, bool $renamed): ?string
    {
        try {
            $code = $mutant->applied($renamed ? Renamed::of($mutant->parsed()) : $mutant->parsed());
        } catch (LogicException $exception) {
            return $exception->getMessage();
        }
        $missed = $renamed ? Renamed::missed($code) : [];

        return $missed === [] ? null : "$mutant->class: its template names " . implode(', ', $missed);
    }

    protected function configure(): void
    {
        $this->addOption('format', null, InputOption::VALUE_REQUIRED, 'txt or json', 'txt', ['txt', 'json'])
            ->addOption('check', null, InputOption::VALUE_NONE, 'Look whether each finds its places')
            ->addOption('renamed', null, InputOption::VALUE_NONE, 'Rename all local variables before that');
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $checks = $input->getOption('check') === true;
        $rows = $complaints = [];
        foreach (self::all() as $proof => $mutant) {
            $complaint = $checks ? self::complaint($mutant, $input->getOption('renamed') === true) : null;
            $complaints = [...$complaints, ...($complaint === null ? [] : ["$proof: $complaint"])];
            $rows[] = ['proof' => $proof, 'class' => $mutant->class, 'changes' => $mutant->words()];
        }
        $failed = \count($complaints);
        $output->writeln(match (true) {
            $checks => [...$complaints, \sprintf('%d passed, %d failed', \count($rows) - $failed, $failed)],
            $input->getOption('format') === 'json'
                => json_encode($rows, JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR),
            default => array_map(static fn(array $row): string
                => "$row[proof]\n  $row[class]\n    " . implode("\n    ", $row['changes']), $rows),
        }, OutputInterface::OUTPUT_RAW);

        return $failed === 0 ? self::SUCCESS : self::FAILURE;
    }
}
